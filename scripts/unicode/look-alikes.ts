/** The Latin letters that a character looks like: UTS #39, and what it misses. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { baseOf, foldedOf, pairs } from './folding.ts'

/** The shape of the digit four, which is no Latin letter. */
const FOUR = '4'

const BARRED_L = 'ł'

/** Letters of other scripts, as capitals, in handwriting and in the imitations of text decorators. `л` is unlike any. */
const OTHER_SCRIPTS = pairs(
  'вb бb ьb ъb ѣb ҍb кk мm нh ћh ђh һh тt яr гr шw щw ѡw єe эe зe ӡe иn пn дd ԁd цu џu жx ғf ԍg ԑe л ѵv ҩq ԛq ԝw ԃd ԋh ӏil ' +
    'αa βb γy δd εe ζz ηn θo ιi κk λa μu νv ξe οo πn ρp σo τt υu χx ωw ϲc ϙq ͳt ' +
    'նu ռn օo քp զq ցg ֆs աw սu տs լl հh ոn ղn ժd չz շt ' +
    'ꭶf ꮧa ᏸb ꮄd ꮛe ꮆg ꮒh ꭵi ꮰj ꮶk ꮭl ꮇm ꮑn ꭷo ꭾp ꭴq ꮢr ꮥs ꮦt ꮼu ꮙv ꮗw ꭹy ꮞ4 ' +
    'ᗩa ᗷb ᙠb ᑕc ᗪd ᗡd ᗴe ᕮe ᖴf ᘜg ᕼh ᒍj ᒐj ᒪl ᗰm ᑎn ᑭp ᑫq ᖇr ᔕs ᑌu ᐯv ᐺw ᗯw ᙭x ᘔz ᐱa ᗅa ᗞd ᗝo ᗱe ᖶt ' +
    'ꍏa ꌃb ꉓc ꀸd ꍟe ꎇf ꁅg ꃅh ꀤi ꀭj ꀘk ꂵm ꈤn ꂦo ꉣp ꆰq ꋪr ꌗs ꀎu ꃴv ꅏw ꊼx ꌩy ꁴz ꋬa ꃳb ꉔc ꏂe ꊰf ꍌg ꁝh ꋊn ꄲo ꇙs ꅐw ꉧx ꌦy ' +
    '꒯d ꒐i ꒻j ꒒l ꓄t ꒤u ꒦v ፈc ጀx ፚz ᛕk ᚠf ᚱr ᛒb ᛗm ᛏt ᛁi ⴎu ⴝs ⴆb ყy ꮖi ᖷf נj',
)

/** Letters of phonetic alphabets and letters turned around, which belong to hardly any word. */
const PHONETIC = pairs(
  'ɑa ɐa ɒa ᴁa ᴂa ʌv ɔc ↄc ᴐc ɘe ǝe əe ɛe ɜe ɝe ɚe ɞe ᴈe ƹe ʒe ƽs ɟf ʄf ɡg ᵷg ɣy ɤy ƃg ɥh ʮh ʯh ɩi ᴉi ɿr ɾr ɹr ɺr ɻr ʁr ᴙr ᴚr ĸk ʞk ꞁl ʅl ' +
    'ɮb ɯm ɰm ꟽm ᴟm ᴎn ɵo ᴑo ꝋo ꟼp þp ƿp ƨs ʃs ƪl ʇt ƾt ɋq ʊu ᴝu ᴞu ʍm ꟺm ʎy ƺz ʆj ƣq ȝe ɷw',
)

const SIGNS = pairs(
  '₳a ∆a ∀a ⍺a ∧a ฿b ₿b ¢c ₵c ₡c ©c ⊂c ∁c ₫d ∂d €e ∈e ∃e ∑e ℮e ₠e ₣f ∱f ₲g ₭k £l ₤l ₥m ₦n ∩n ∏n ₪n ○o ◯o ∅o ⌀o ₱p ⍴p ₽p ®r ₹r ₨r ' +
    '§s ₴s ∫s ₮t ₸t †t ‡t ∪u ⋃u ∨v ⋁v √v ₩w ⍵w ×x ✕x ✗x ✘x ⨯x ¥y ¡il ¦il ∣il ⍳i ⋊k ⅃l',
)

const ALIKE_SCRIPTS = new RegExp(
  `[${'Latin Cyrillic Greek Armenian Cherokee Coptic Lisu Canadian_Aboriginal Deseret Osage Old_Italic Lydian Lycian Carian Gothic Warang_Citi Pau_Cin_Hau Miao Vai Tifinagh Runic Elbasan Caucasian_Albanian'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]`,
  'u',
)

const DIGITS = pairs('0o 2z 3e 5s 6b 7t 8b 9g')

function readConfusables(): Map<string, string> {
  const rows = readFileSync(path.join(import.meta.dir, 'confusables.txt'), 'utf8').split('\n')
  const alike = new Map<string, string>()
  for (const row of rows) {
    const [from, to] = row.replace(/^\ufeff/, '').split(';')
    if (from === undefined || to === undefined || !/^[0-9A-F]+ *$/.test(from)) continue
    alike.set(fromHex(from), to.trim().split(' ').map(fromHex).join(''))
  }
  return alike
}

const fromHex = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))
const confusables = readConfusables()

/** Latin letters that a character looks like, the same for upper and lower case. */
export function lookAlikesOf(character: string): string {
  const folded = foldedOf(character)
  const base = baseOf(character)
  if (/^[a-z]$/.test(base)) return folded === BARRED_L ? 'i' : ''
  if (folded === 'ч' || base === 'ч') return FOUR
  const given = listed(folded) ?? listed(base)
  if (given !== undefined) return given
  if (!ALIKE_SCRIPTS.test(folded)) return ''
  const cases = [folded, base, folded.toUpperCase(), base.toUpperCase()]
  return cases.map((each) => latinOf(confusables.get(each) ?? '')).find((letters) => letters !== '') ?? ''
}

function listed(character: string): string | undefined {
  return OTHER_SCRIPTS.get(character) ?? PHONETIC.get(character) ?? SIGNS.get(character)
}

/** The Latin letter of a confusable sequence, ignoring its marks. */
function latinOf(sequence: string): string {
  const letters = [...sequence.normalize('NFD').replace(/\p{M}/gu, '')]
  const [only = ''] = letters
  if (letters.length !== 1) return ''
  const base = baseOf(only)
  if (base === 'l') return 'il'
  return /^[a-z]$/.test(base) ? base : (listed(base) ?? DIGITS.get(only) ?? '')
}
