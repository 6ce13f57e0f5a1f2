import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (veado, bicha, rola, puto, cacete) are not here. */
export const portugueseVulgarWords = readVulgarWords(`
# puta; computar and disputa are other words
fdp filhadaputa filhodaputa pqp puta putaria putarias putas puteiro puteiros putinha putinhas putona putonas
putão
# foder
foda fodas fodase fodasse fode fodem fodendo foder fodes fodeu fodi fodida fodidas fodido fodidos fodona
fodão vsf vtnc
# parts of the body
boceta bocetas buceta bucetas bucetinha bucetão caralhada caralhinho caralho caralhos caralhão colhão
colhões cona conas cuzinho cuzinhos cuzona cuzão cuzões piroca pirocas pirocudo xereca xerecas xota xotas
xoxota xoxotas
# excrement
bosta bostas caga cagada cagadas cagado cagados cagalhão cagalhões cagam cagamos cagando caganeira cagar
cagara cagaram cagaras cagarei cagarem cagaremos cagaria cagariam cagarmos cagará cagarás cagarão cagas cago
cagona cagou cagão merda merdas merdice merdinha merdosa merdoso
# sex
boquete boqueteira boqueteiro boquetes chupeteiro esporra esporrada esporrado esporrar porra porras punheta
punhetar punhetas punheteiro punheteiros queca quecas siririca siriricas
# insults
cabrona cabrão cabrões vadia vadias vagabunda vagabundas
# slurs
baitola baitolas boiola boiolas paneleiragem paneleiro paneleiros sapatona sapatão sapatões traveco travecos
viadagem viadinho viadinhos viado viados viadão
`)
