// Starts the viewer. A file of its own, so that the page needs no inline script.
const { SwaggerUIBundle } = globalThis

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
prefersDark.addEventListener('change', applyScheme)
applyScheme()

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#viewer',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  // The token stays in the memory of this page, and nothing is sent to a validator elsewhere.
  persistAuthorization: false,
  validatorUrl: null,
})
