/** Words separated by white space; lines that start with `#` give the reason for the words below them. */
export const readVulgarWords = (text: string): readonly string[] => [
  ...new Set(text.replaceAll(/^#.*$/gm, '').split(/\s+/).filter(Boolean)),
]
