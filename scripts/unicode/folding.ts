/** Width, style, enclosure and case of a character, without its accents. */

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const FINALS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'

/** Decorative marks. Marks of other scripts are vowels. */
const DECORATIVE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each mark is matched on its own
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Me}\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe2f\uff9e\uff9f]/u

/** Letters with a stroke or a hook, which have no decomposition. */
const STROKED = pairs(
  'øo łl đd ħh ŧt ıi ɨi ƀb ɇe ŋn æa œo ðd ƒf ɱm ʠq ɍr ɏy ƶz ʉu ⱥa ȼc ꞓc ɉj ꝁk ꝃk ꝅk ɫl ƚl ⱡl ɬl ᵽp ꝑp ꞗb ƈc ɗd ɖd ȡd ɠg ɦh ɧh ⱨh ꞕh ' +
    'ƙk ⱪk ɭl ȴl ꞎl ɲn ƞn ɳn ȵn ꞑn ƥp ꝓp ꝗq ɽr ɼr ʂs ȿs ꞩs ƭt ʈt ƫt ȶt ⱦt ʋv ⱱv ⱴv ⱳw ƴy ỿy ȥz ɀz ⱬz ʐz ʑz ɓb ƃb ɕc ʝj ꞡg ꞣk ꞥn ꞧr ŀl ƛl ' +
    'ᵬb ᵭd ᵮf ᵯm ᵰn ᵱp ᵲr ᵳr ᵴs ᵵt ᵶz ᶀb ᶁd ᶂf ᶃg ᶄk ᶅl ᶆm ᶇn ᶈp ᶉr ᶊs ᶌv ᶍx ᶎz ᶏa ᶐa ᶑd ᶒe ᶓe ᶔe ᶕe ᶖi ᶗo ᶙu ᵾu ᵻi ƍd ẜs ẝs ȣo ' +
    'қк ҝк ҟк ҡк ӄк ԟк ңн ҥн ӈн ӊн ҫс ҭт ҳх ӽх ӿх ҙз ҷч ҹч ӌч ұу үу ґг ҕг ӷг ԥп ҧп ԓл ӆл ԡл ԯл ӎм өо ҏр',
)

const SMALL_CAPITALS = pairs('ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz')
const ARABIC = pairs('أا إا آا ٱا ىي یي ئي کك ةه ؤو')

/** A sigma that looks like a Latin c. */
const LUNATE = /[ϲϹ]/
const ACCENTED_SCRIPTS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
/** All blanks but the ideographic space, which is too common to be worth it. */
const BLANK = /(?!\u3000)[\u2800\p{Z}]/u
/** Signs that players write in place of a letter. Other signs in full width are common in Chinese and Japanese. */
const WIDE_STARS = pairs('＊* ＃# ﹡* ﹟#')
/** The trade mark signs follow a word without being part of it; Thai and Lao write the vowel am as one letter. */
const UNFOLDED = /[™℠ำຳ\u{1f1e6}-\u{1f1ff}\u1100-\u11ff\u3131-\u318e]/u
const ENCLOSED = /^\((.+)\)$|^(.+)[.,]$/u
const WORD = /[\p{L}\p{M}\p{Nd}]/u

export function pairs(text: string): Map<string, string> {
  return new Map(text.split(' ').map((pair) => [pair[0] ?? '', pair.slice(1)]))
}

function remember(compute: (character: string) => string): (character: string) => string {
  const known = new Map<string, string>()
  return (character) => {
    const found = known.get(character) ?? compute(character)
    known.set(character, found)
    return found
  }
}

export const isDecorative = (character: string) => DECORATIVE.test(character)

const letterOf = (index: number) => String.fromCharCode(0x41 + index)

/** The plain letters of a styled character, in the same case: `Ａ` for A, `ß` for ss. The character itself if it is plain. */
export const plainOf = remember((character) => {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1f150 && code <= 0x1f169) return letterOf(code - 0x1f150)
  if (code >= 0x1f170 && code <= 0x1f189) return letterOf(code - 0x1f170)
  if (character === 'ß' || character === 'ẞ') return character === 'ß' ? 'ss' : 'SS'
  if (BLANK.test(character)) return ' '
  if (LUNATE.test(character) || UNFOLDED.test(character)) return character
  return SMALL_CAPITALS.get(character) ?? WIDE_STARS.get(character) ?? compatible(character)
})

/** By compatibility decomposition, as far as it yields letters and digits. */
function compatible(character: string): string {
  const whole = character.normalize('NFKC')
  if (isDecorative(character)) return /^\p{M}$/u.test(whole) ? whole : character
  const inner = ENCLOSED.exec(whole)
  const letters = [...(inner?.[1] ?? inner?.[2] ?? whole)].filter((each) => !isDecorative(each))
  return letters.length > 0 && letters.every((each) => WORD.test(each))
    ? letters.map((each) => plainAgain(each, character)).join('')
    : character
}

const plainAgain = (letter: string, character: string): string =>
  letter === character ? foldSigma(letter) : foldJamo(plainOf(letter))

/** Folds width, style, enclosure and case. */
export const foldedOf = remember((character) => {
  if (LUNATE.test(character)) return 'ϲ'
  if (character === 'İ') return 'i'
  const [only = '', ...more] = narrow(plainOf(character)).toLowerCase().normalize('NFC')
  if (more.length > 0 || only === '') return character
  return foldSigma(foldJamo(foldKana(foldArabic(SMALL_CAPITALS.get(only) ?? only))))
})

/** A sign in full width, or another variant of a sign, as the plain sign. */
function narrow(text: string): string {
  const plain = text.normalize('NFKC')
  return [...plain].length === 1 && !/[\u1100-\u11ff]/.test(plain) ? plain : text
}

function foldKana(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : character
}

const foldArabic = (character: string) => ARABIC.get(character) ?? character
/** Sigma has a separate form at the end of a word. */
const foldSigma = (character: string) => (character === 'ς' ? 'σ' : character)

function foldJamo(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1100 && code <= 0x1112) return INITIALS[code - 0x1100] ?? character
  if (code >= 0x1161 && code <= 0x1175) return VOWELS[code - 0x1161] ?? character
  if (code >= 0x11a8 && code <= 0x11c2) return FINALS[code - 0x11a8] ?? character
  return character
}

/** Removes accents and strokes. */
export function baseOf(character: string): string {
  const folded = foldedOf(character)
  const [base = '', ...marks] = folded.normalize('NFD')
  const hasAccents =
    marks.length > 0 && ACCENTED_SCRIPTS.test(base) && marks.every((mark) => /\p{M}/u.test(mark))
  const plain = hasAccents ? base : folded
  return STROKED.get(plain) ?? plain
}
