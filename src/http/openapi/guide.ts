/** The rules that apply to all operations, in Markdown: introduces the OpenAPI document and docs/api.md. */
export const GUIDE = `## Authentication

Every request carries the master token as a bearer token:

\`\`\`
Authorization: Bearer <MASTER_TOKEN>
\`\`\`

\`parley token\` prints the token. It grants full access, so keep it on servers. Each operation lists the minimum role; the master
token, the only kind of token in this version, has every role. Credentials are checked before anything else: a
missing, unknown or revoked token gets 400 with code 400701, whatever the path, method and body.
Only \`/chat/v1/openapi.json\` and \`/chat/v1/docs\` are public.

## Requests

- **Body.** PUT, POST, PATCH and DELETE take a JSON object in UTF-8 of up to 8 MiB, 32 levels and 1,000 keys. \`Content-Type:
  application/json; charset=utf8\` is recommended; any other type, or none, works too.
- **DELETE** also takes its properties in the query if the body is absent or \`{}\`, because some proxies drop bodies.
- **Properties.** Unknown properties are ignored, \`null\` counts as missing, and types are not converted: \`"3"\` is not a number. If a
  property occurs twice, the last one wins.
- **Paths** such as \`/messages/{message_id}\` take the property percent-encoded.
- **Times** are UTC: \`YYYY-MM-DD HH:MM:SS\` or, where the table says so, \`YYYY-MM-DDTHH:MM:SSZ\`.
- **HEAD** responds like GET without a body, **OPTIONS** lists the methods of a path.
- **Compression.** Responses of 1 KiB or more are compressed with \`zstd\` or \`gzip\` if \`Accept-Encoding\` allows it. Compressed request
  bodies are rejected with 415.
- **X-Request-Id** is in every response and in the log. Send your own (letters, digits, \`. _ : -\`, up to 128) to trace a request.

## Errors

An error is always an object with these three fields. The first three digits of the code are the HTTP status:

\`\`\`json
{"message": "\\"days\\" is required.", "code": 400105, "error": true}
\`\`\`

Checks run in the order credentials, path, method, rate, encoding, size, JSON, types, values, state; the first failure is reported.
Codes are stable. Messages may be reworded, except that of 400701. Retry 429 and 503 after \`Retry-After\` seconds; do not retry
other errors unchanged.

Requests that are not valid HTTP never reach the API. The runtime responds with a bare status and no JSON, or closes the
connection: 431 for headers of more than 16 KiB in total; 400 for a missing \`Host\`, \`Content-Length\` together with
\`Transfer-Encoding\`, malformed chunks and trailers; a closed connection for unknown methods.

## Paging

Without parameters, a list is complete. With \`limit\` (1 to 1000), the response is one page, still a plain array, and the header
\`Link: <…>; rel="next"\` is the address of the next page; the last page has no such header. Follow the link as it is: the
\`cursor\` in it is opaque. Entries that are added or removed between pages never cause others to be repeated or skipped.
A long list is streamed: if it cannot be completed, the connection is aborted, so treat an incomplete body as an error.

## Idempotency

Operations that change something accept an \`Idempotency-Key\` header of 1 to 255 visible ASCII characters. The first response to a
key is stored with the change and replayed for 24 hours, so a request whose response was lost can be retried safely: a ban is
not counted twice. The same key with a different request is rejected with 400111. A request that got 412 had no
effect, so it may be repeated with the same key and another \`If-Match\`. Use a new random key, such as a UUID, for each intended
change. Operations that store nothing, such as minting a player token, ignore the header.

## Conditional requests

The word lists have an \`ETag\`, and so do the allow lists: one each, which covers the lists of all languages. GET with
\`If-None-Match\` returns 304 while nothing has changed. PUT with \`If-Match\` returns 412 with code 412100 if the list of any language
has changed since, and has no effect: read the lists again, repeat the edit, and send the new \`ETag\`. The response to PUT carries
the \`ETag\` of the new version. Each content coding has its own (\`"7"\`, \`"7-gzip"\`); any of them works.

## Rate limits

Each token may make 5,000 requests per second, with bursts of up to twice that; the operator can change this. Every response to
a valid token carries \`RateLimit\` and \`RateLimit-Policy\`; a request over the limit gets 429 with \`Retry-After\`. Wrong credentials
never get 429, but repeated failures from one address are delayed.

## Versioning

The version is part of the path. \`v1\` only grows: new paths, new headers, new optional properties. Clients must ignore
headers and properties that they do not know; documented fields of responses stay.
`
