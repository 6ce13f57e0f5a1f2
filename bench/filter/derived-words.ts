/**
 * Words of the dictionary that are built on a listed word and keep its meaning, reviewed by hand. The vulgar ones are in
 * the engine's own file; these are not vulgar, but no surprise to an operator who lists the word.
 */
export const DERIVED_WORDS: Readonly<Record<string, string>> = {
  anal: 'anally',
  autoerotic: 'autoeroticism autoeroticisms',
  clit: 'clitoral clitoridectomy clitorides clitorises',
  clitoris: 'clitoral clitoridectomy clitorides',
  erotic: 'erotica erotically eroticism eroticist',
  erotism: 'autoerotism autoerotisms',
  fellatio: 'fellation fellations',
  grope: 'groper gropers',
  homoerotic: 'homoeroticism homoeroticisms',
  incest: 'incestuous incestuously incestuousness',
  nymphomania: 'nymphomaniac nymphomaniacal nymphomaniacs',
  orgasm: 'orgasmic orgasmically postorgasmic',
  porn: 'pornographer pornographers pornographic pornographically',
  rape: 'raper rapers',
  smut: 'smuttier smuttiest smuttiness smutty',
  spastic: 'spastically spasticities spasticity',
  vagina: 'vaginae vaginal vaginally',
  voyeur: 'voyeurism voyeuristic voyeuristically',
  vulva: 'vulvae vulval vulvar',
}
