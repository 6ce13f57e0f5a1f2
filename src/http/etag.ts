export const renderEtag = (version: number) => `"${version}"`

/** Parses the entity tags of this API. Each content coding of a list has its own: `"7"`, `"7-gzip"`. */
const readEtags = (header: string) =>
  Array.from(header.matchAll(/(W\/)?("(\d{1,15})(?:-(?:gzip|zstd))?")/g), ([, weak, tag = '', version]) => ({
    isStrong: weak === undefined,
    tag,
    version: Number(version),
  }))

/** The versions that a strong `If-Match` allows; undefined when it allows any. */
export function readIfMatch(header: string | null): number[] | undefined {
  if (header === null || header.trim() === '*') return undefined
  return readEtags(header).flatMap(({ isStrong, version }) => (isStrong ? version : []))
}

/** The tag in `If-None-Match` that names this version in any content coding; undefined when there is none. */
export function findMatchingTag(ifNoneMatch: string | null, version: number): string | undefined {
  if (ifNoneMatch === null) return undefined
  if (ifNoneMatch.trim() === '*') return renderEtag(version)
  return readEtags(ifNoneMatch).find((each) => each.version === version)?.tag
}
