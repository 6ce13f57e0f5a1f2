import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (eikel, pik, reet, rukken, kanker) are not here. */
export const dutchVulgarWords = readVulgarWords(`
# kut
kut kutdag kutding kutdingen kutgevoel kuthoer kuthoeren kutje kutjes kutland kutmuziek kutsmoes kutsmoezen
kutstreek kutstreken kutten kuttenkop kuttenkoppen kutweer kutwerk kutwijf kutwijven kutzooi kutzwager
# lul
berenlul boeglul boerelul boerenlul boerenlullen droplul gelul geluld hondenlul kunstlul lamlul lamlullen
lul lulde lulden lulhannes lulhannesen lulkoek lullen lullepot lullepraat lulletje lulletjes lullo lulpraat
lult lulverhaal lulverhalen oetlul oetlullen ouwelul paardelul paardenlul voorbindlul
# neuken
bitch bullshit droogneuken fistfuck fistfucken fuck fucken fucking fuckt geitenneuker geitenneukers geneuk
geneukt keelneuken kommaneuker kommaneukers kontneuken kontneuker mierenneuken mierenneuker mierenneukerij
mierenneukers mindfuck neuk neukbaar neukbeurt neuken neuker neukerij neukers neukfilm neukgat neukpartij
neukpop neuksessie neukstier neukt neukte neukten neukvriend neukvriendin shit verneuk verneuken verneukerij
verneukt verneukte
# hoer; verhoer (interrogation) is another word
aandachtshoer aandachtshoeren breezerslet breezersletten crackhoer crackhoeren drugshoer drugshoeren
drugshoertje gehoereerd geouwehoer geouwehoerd heroïnehoer heroïnehoeren hockeyslet hockeysletten hoer
hoerachtig hoereerde hoereert hoeren hoerenbuurt hoerenhuis hoerenjager hoerenjong hoerenkast hoerenkot
hoerenloper hoerenlopers hoerenmadam hoerenwijf hoerenzonen hoerenzoon hoereren hoererij hoerig hoerige
hoertje hoertjes kankerhoer kankerhoeren moffenhoer moffenhoeren ouwehoer ouwehoeren ouwehoert rothoer
rothoeren slet sletje sletjes sletten sletterig sletterige snol snollen stoephoer stoephoeren straathoer
straathoeren straathoertje teringhoer trut trutten tyfushoer
# parts of the body
droogkloot gekloot kloot kloothommel kloothommels klootviolen klootviool klootzak klootzakje klootzakken
klote klotebaan klotefilm kloten kloterig kloterij kont konten kontgat kontgaten kontje kontjes kontlikken
kontlikker kontlikkers rotzak rotzakken tiet tieten verkloot verklootte verkloten
# excrement
afgezeikt afzeiken azijnpisser azijnpissers azijnzeiker azijnzeikers bescheten gezeik gezeikt hondenstront
kippenstront koeienstront paardenstront schijt schijten schijterd schijthuis schijtkont stront strontje
strontkop strontvent strontvervelend strontvervelende strontzak zeik zeiken zeiker zeikerd zeikerds zeikerig
zeikers zeiksnor zeikstraal zeikt zeikte zeikwijf zeikwijven
# sex
beffen befte gebeft matennaaier matennaaiers opgeilen pijpbeurt rukker rukkers
# curses with an illness
godver godverdegodver godverdomme kankerhond kankerlijer kankerlijers kankermongool kankerwijf kankerzooi
klerelijer klerelijers kleremongool pestwijf teringlijer teringlijers teringwijf tyfuslijer tyfuslijers
tyfuswijf
# slurs
flikker flikkers mietje mietjes neger negerin negerinnen negers nikker nikkers
`)
