/** What holds for every operation, in Markdown: the introduction of the OpenAPI document and of docs/api.md. */
export const GUIDE = `## Authentication

Every request carries the master token as a bearer token:

\`\`\`
Authorization: Bearer <MASTER_TOKEN>
\`\`\`

\`parley token\` shows the token. It belongs on servers only: whoever has it can do everything. Credentials are checked before
anything else, so a missing, unknown or revoked token gets 400 with code 400701 whatever the path, the method and the body are.
Only \`/chat/v1/openapi.json\` and \`/chat/v1/docs\` need no token.

## Requests

- **Body.** PUT, POST, PATCH and DELETE take a JSON object in UTF-8 of up to 8 MiB, 32 levels and 1,000 keys. \`Content-Type:
  application/json; charset=utf8\` is recommended; any other, or none, works too.
- **DELETE** takes its properties in the query as well when it has no body, or \`{}\`, because some proxies drop bodies.
- **Properties.** Unknown ones are ignored, \`null\` counts as missing, and nothing is converted: \`"3"\` is not a number. If a
  property occurs twice, the last one counts.
- **Paths** such as \`/messages/{message_id}\` take the property percent-encoded.
- **Times** are UTC: \`YYYY-MM-DD HH:MM:SS\` or, where the table says so, \`YYYY-MM-DDTHH:MM:SSZ\`.
- **HEAD** answers like GET without a body, **OPTIONS** lists the methods of a path.
- **Compression.** Answers of 1 KiB or more come in \`zstd\` or \`gzip\` where \`Accept-Encoding\` asks for it. Request bodies must not be
  compressed: 415.
- **X-Request-Id** is in every answer and in the log. Send your own (letters, digits, \`. _ : -\`, up to 128) to follow a request.

## Errors

An error is always an object with these three fields, and the status is the first three digits of the code:

\`\`\`json
{"message": "\\"days\\" is required.", "code": 400105, "error": true}
\`\`\`

Checks run in the order credentials, path, method, rate, encoding, size, JSON, types, values, state; the first that fails is reported.
Codes are stable, messages may be reworded, except that of 400701. Retry 429 and 503 after \`Retry-After\` seconds; do not retry
other errors unchanged.

Requests that are not valid HTTP never reach the API. The runtime answers them with a bare status and no JSON, or closes the
connection: 431 for headers over 16 KiB in all; 400 for a missing \`Host\`, \`Content-Length\` beside \`Transfer-Encoding\`, malformed
chunks and trailers; an end of the connection for unknown methods.

## Paging

Without parameters a list is complete. With \`limit\` (1 to 1000) it is one page, still a plain array, and the header
\`Link: <…>; rel="next"\` is the address of the next page; the last page has no such header. Follow the link as it is: the
\`cursor\` in it has no meaning of its own. Entries added or removed meanwhile never repeat or hide others.

## Idempotency

Operations that change something accept an \`Idempotency-Key\` header of 1 to 255 visible ASCII characters. The first answer to a
key is stored with the change and replayed for 24 hours, so a request whose answer was lost can be sent again safely: a ban is
not counted twice. The same key with another request is refused with 400111. Use a new random key, such as a UUID, for each
intended change. Operations that store nothing, such as minting a player token, ignore the header.

## Conditional requests

The word lists have an \`ETag\`. \`If-None-Match\` on GET answers 304 while nothing has changed; \`If-Match\` on PUT answers 412 with
code 412100 if someone else wrote first, and changes nothing. Read the list again, repeat the edit, and send the new \`ETag\`.
The answer to PUT carries the \`ETag\` of the new version. Each content coding has its own (\`"7"\`, \`"7-gzip"\`); any of them will do.

## Rate limits

Each token may make 5,000 requests per second, with bursts of up to twice that; the operator can change this. Every answer to
a valid token carries \`RateLimit\` and \`RateLimit-Policy\`; a request over the limit gets 429 with \`Retry-After\`. Wrong credentials never get 429,
but many of them from one address are answered more slowly.

## Versioning

The version is part of the path. \`v1\` only grows: new paths, new headers, new optional properties. Clients must ignore
headers that they do not know; the fields of the answers that are listed here stay.
`
