import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (suka, pedał, szmata, jajko, pieprzyć) are not here. */
export const polishVulgarWords = readVulgarWords(`
# chuj
chuj chuja chuje chujek chujem chujki chujni chujnia chujnię chujom chujowa chujowe chujowego chujowi
chujowizna chujowo chujowość chujowy chujoza chuju chujów huj huja huje hujem hujowo hujowy ochujeć
# kurwa
kurew kurewka kurewki kurewska kurewski kurewsko kurewstwo kurwa kurwami kurwi kurwiarz kurwica kurwidołek
kurwie kurwiszcze kurwiszon kurwić kurwo kurwom kurwy kurwą kurwę nakurwiać podkurwić skurwiel skurwiela
skurwiele skurwiony skurwysyn skurwysyna skurwysynu skurwysyny skurwysynów skurwysyńska skurwysyński
skurwysyńskich skurwysyńskie skurwysyńskiego skurwysyństwo wkurwia wkurwiacie wkurwiaj wkurwiający wkurwiali
wkurwiasz wkurwiać wkurwiona wkurwiony wkurwić wkurwił wkurwiłem wykurwić zakurwić
# jebać
dojebany dojebać dojebał jebak jebaka jebali jebana jebane jebanego jebanej jebani jebany jebanych jebanym
jebanymi jebaną jebać jebał jebie jebiesz jebią jebię jebliwy jebnięty jebnąć jebnął jebnęło jebut najebana
najebany najebanych najebać najebał odjebany odjebać odjebał ojebać podjebany podjebać podjebał pojeb
pojebana pojebane pojebanego pojebani pojebanie pojebaniec pojebany pojebanych pojeby przejebane przejebany
przejebać przejebał przyjebany przyjebać przyjebał rozjebany rozjebać rozjebał ujebany ujebać wjebać wjebał
wyjebane wyjebany wyjebać wyjebał zajebany zajebać zajebał zajebiaszczy zajebista zajebiste zajebisty
zajebiście zjeb zjebach zjebana zjebany zjebać zjebał zjeby
# pierdolić
dopierdolić napierdala napierdalać napierdolić napierdolony odpierdala odpierdolić opierdala opierdalać
opierdol opierdolach opierdolić pierdol pierdole pierdolec pierdolenie pierdoli pierdolicie pierdolili
pierdolisz pierdolić pierdolił pierdolnięta pierdolnięte pierdolniętego pierdolnięty pierdolniętych
pierdolnąć pierdolnął pierdolona pierdolone pierdolony pierdolą pierdolę pierdoła pierdoły podpierdalać
podpierdolić popierdalać popierdolić popierdolona popierdolone popierdolonego popierdolony popierdolonych
przepierdolić przypierdalać przypierdolić rozpierdalać rozpierdol rozpierdolić spierdala spierdalaj
spierdalać spierdolicie spierdolić spierdolił spierdolony upierdliwy upierdolić wpierdalać wpierdol
wpierdolach wpierdolić wypierdala wypierdalaj wypierdalać wypierdolić zapierdala zapierdalać zapierdolach
zapierdolić
# parts of the body
cipa cipach cipami cipcia cipie cipka cipki cipkę cipo cipom cipowaty cipsko cipy cipę ciul ciula ciule cyc
cyca cycach cycami cycata cycaty cyce cycek cycem cycki cycków cycom cycu dup dupa dupach dupami dupcia
dupczyć dupeczka dupek dupie dupka dupki dupku dupków dupny dupo dupochron dupodajka dupom dupowaty dupowłaz
dupsko dupy dupą dupę fiut fiuta fiutek fiuty gołodupiec kutafon kutafony kutas kutasa kutasach kutasami
kutasem kutasie kutasik kutasina kutaska kutaski kutasom kutasowi kutasy kutasów pizda pizdeczka pizdnąć
pizdo pizdowaty pizdu pizdy pizdą pizdę
# excrement
dosrać gówien gówienko gówna gównach gównami gównem gówniana gówniany gówniara gówniarski gówniarstwo
gówniarz gówniarze gównie gówno gównoburza gównoburzy gównom gównozjad gównozjada gównu nasrać nasrał
obesrać obsrany obsrać obszczać osrany osrać podesrać posrany posrać przesrane przesrać przysrać sra sracz
sraczka sraczki sraj srajtaśma srają srali srasz srać srał szcza szczać szczoch szczyny usrać wysrać zasrana
zasraniec zasrany zasrać zasrańcy zesrać zesrał
# sex
burdel burdele burdelmama burdelu lachociąg obciągara pieprzona pieprzone pieprzony popieprzona popieprzony
poruchać rucha ruchają ruchanie ruchanko ruchać ruchał spieprzaj spieprzać wypieprzaj wyruchany wyruchać
zruchać
# insults and slurs
ciota ciotowaty cioty ciotę czarnuch czarnucha czarnuchy czarnuchów dziwek dziwka dziwkarz dziwki dziwko
dziwkę pedzie pedzio sukinkot sukinsyn sukinsyna sukinsyny zdzira zdziro zdziry
`)
