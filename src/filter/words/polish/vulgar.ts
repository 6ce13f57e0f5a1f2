import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (suka, pedał, szmata, jajko, pieprzyć) are not here. */
export const polishVulgarWords = readVulgarWords(`
# chuj
chuj chuja chuje chujek chujem chujki chujni chujnia chujnię chujom chujowa chujowe chujowego chujowi
chujowizna chujowo chujowość chujowy chujoza chuju chujów huj huja huje hujem hujowo hujowy ochujeć
# kurwa
kurew kurewka kurewki kurewska kurewski kurewsko kurewstwo kurwa kurwami kurwi kurwiarz kurwica kurwidołek
kurwie kurwiszcze kurwiszon kurwić kurwo kurwom kurwy kurwą kurwę nakurwiać podkurwić skurwiel skurwiela
skurwiele skurwiony skurwysyn skurwysyna skurwysynu skurwysyny skurwysynów skurwysyński skurwysyństwo
wkurwia wkurwiający wkurwiasz wkurwiać wkurwiona wkurwiony wkurwić wkurwił wkurwiłem wykurwić zakurwić
# jebać
dojebać dojebał jebak jebaka jebana jebane jebanego jebanej jebani jebany jebanych jebać jebał jebie jebiesz
jebią jebię jebliwy jebnięty jebnąć jebnął jebnęło jebut najebana najebany najebać najebał odjebać odjebał
ojebać podjebać podjebał pojeb pojebana pojebane pojebaniec pojebany pojeby przejebane przejebać przejebał
przyjebać przyjebał rozjebany rozjebać rozjebał ujebany ujebać wjebać wjebał wyjebane wyjebany wyjebać
wyjebał zajebany zajebać zajebał zajebiaszczy zajebista zajebiste zajebisty zajebiście zjeb zjebana zjebany
zjebać zjebał zjeby
# pierdolić
dopierdolić napierdala napierdalać napierdolić napierdolony odpierdala odpierdolić opierdala opierdalać
opierdol opierdolić pierdol pierdole pierdolec pierdolenie pierdoli pierdolisz pierdolić pierdolił
pierdolnięty pierdolnąć pierdolnął pierdolona pierdolone pierdolony pierdolą pierdolę pierdoła pierdoły
podpierdalać podpierdolić popierdalać popierdolić popierdolony przepierdolić przypierdalać przypierdolić
rozpierdalać rozpierdol rozpierdolić spierdala spierdalaj spierdalać spierdolić spierdolił spierdolony
upierdliwy upierdolić wpierdalać wpierdol wpierdolić wypierdala wypierdalaj wypierdalać wypierdolić
zapierdala zapierdalać zapierdolić
# parts of the body
cipa cipcia cipka cipki cipkę cipo cipowaty cipsko cipy cipę ciul ciula ciule cyc cycata cycaty cyce cycek
cycki cycków dup dupa dupach dupami dupcia dupczyć dupeczka dupek dupie dupka dupki dupku dupków dupny dupo
dupochron dupodajka dupom dupowaty dupowłaz dupsko dupy dupą dupę fiut fiuta fiutek fiuty gołodupiec kutafon
kutafony kutas kutasa kutasem kutasie kutasik kutasy kutasów pizda pizdeczka pizdnąć pizdo pizdowaty pizdu
pizdy pizdą pizdę
# excrement
dosrać gówien gówienko gówna gównem gówniana gówniany gówniara gówniarski gówniarstwo gówniarz gówniarze
gównie gówno gównozjad nasrać nasrał obesrać obsrany obszczać osrany osrać posrany posrać przesrane przesrać
przysrać sra sracz sraczka sraczki sraj srajtaśma srają srasz srać srał szcza szczać szczoch szczyny wysrać
zasrana zasraniec zasrany zasrać zasrańcy zesrać zesrał
# sex
burdel burdele burdelmama burdelu lachociąg obciągara pieprzona pieprzone pieprzony popieprzona popieprzony
poruchać rucha ruchają ruchanie ruchanko ruchać ruchał spieprzaj spieprzać wypieprzaj wyruchany wyruchać
zruchać
# insults and slurs
ciota ciotowaty cioty ciotę czarnuch czarnucha czarnuchy czarnuchów dziwek dziwka dziwkarz dziwki dziwko
dziwkę pedzie pedzio sukinkot sukinsyn sukinsyna sukinsyny zdzira zdziro zdziry
`)
