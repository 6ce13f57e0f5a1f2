import { readVulgarWords } from '../vulgar-words.ts'

/**
 * Reviewed by hand: a native speaker calls each of these words vulgar, obscene or a slur wherever it is written in a
 * chat. Words with a common innocent sense are not here (cock, dick, tit, ass, hoe, fag end of a list): an operator who
 * minds them lists them, and then they match as listed. Their derivations that have no innocent sense are here.
 */
export const englishVulgarWords = readVulgarWords(`
# fuck and its derivations; no innocent sense
absofuckinglutely assfuck assfucked assfucker assfucking assfucks brainfuck buttfuck buttfucked buttfucker
buttfuckers buttfucking clusterfuck clusterfucks dumbfuck dumbfucks facefuck facefucking fingerfuck
fingerfucked fingerfucker fingerfucking fistfuck fistfucked fistfucker fistfucking fistfucks fuck fucka
fuckable fuckah fuckas fuckass fuckasses fuckbag fuckbags fuckboi fuckbois fuckboy fuckboys fuckbuddies
fuckbuddy fucked fuckedup fucker fuckers fuckery fuckface fuckfaced fuckfaces fuckfest fuckhead fuckheads
fuckhole fuckholes fuckin fucking fuckingly fuckings fuckity fuckknuckle fuckload fuckloads fucknut fucknuts
fuckoff fuckoffs fuckpig fucks fuckstick fucksticks fucktard fucktarded fucktards fucktoy fucktoys fuckup
fuckups fuckwad fuckwads fuckwit fuckwits fuckwitted fucky headfuck mindfuck mindfucked mindfucking
mindfucks motherfuck motherfucka motherfuckas motherfucked motherfucker motherfuckers motherfuckin
motherfucking motherfucks mouthfuck ratfuck ratfucked ratfucker ratfucking skullfuck skullfucked
skullfucking starfucker starfuckers titfuck titfucking titfucks unfuck unfuckable unfucked
# respellings of fuck that are no other word
fcuk fcuked fcuker fcuking fecker feckers fecking fuk fuker fukers fukin fuking fukked fukker fukkin fukking
fuks fuq fuqing mofo mofos motherfukin motherfukker muthafucka muthafuckas muthafucker muthafuckers
muthafuckin mutherfucker mutherfuckers mutherfucking phuck phucked phucker phucking phuk phuking phuks
# shit and its derivations; shittah, shittim and shitake are not listed
apeshit batshit beshat beshit beshits beshitting birdshit bullshat bullshit bullshits bullshitted
bullshitter bullshitters bullshitting bullshitty chickenshit chickenshits cowshit dipshit dipshits dogshit
dumbshit dumbshits gobshite gobshites horseshit horseshits jackshit pigshit ratshit shat shit shitass
shitbag shitbags shitball shitballs shitbird shitbirds shitblimp shitbox shitboxes shitbrain shitbrained
shitbrick shitbricks shitcan shitcanned shitcanning shitcans shitcunt shitcunts shitdick shitdicks shite
shites shitey shitface shitfaced shitfaces shitfest shitfests shitfit shitfucker shitgibbon shitgibbons
shithawk shithead shitheaded shitheads shitheel shitheels shithole shitholes shithouse shithoused shithouses
shiting shitings shitkicker shitkickers shitless shitlist shitlists shitload shitloads shitlord shitlords
shitpile shitpiles shitpost shitposted shitposter shitposters shitposting shitposts shits shitshow shitshows
shitstain shitstains shitstick shitsticks shitstirrer shitstirrers shitstirring shitstorm shitstorms
shitsucker shittalk shitted shitter shitters shittier shittiest shittily shittiness shitting shittings
shitton shittons shitty shitwork shity
# piss; pissoir is a word of architecture
piss pissant pissants pissed pissedoff pisser pissers pisses pissface pissfaced pissflaps pisshead pissheads
pissier pissiest pissin pissing pissings pissoff pisspig pisspoor pisspot pisspots pisstake pisstaker
pisstakers pisstakes pisstaking pissup pissups pissy
# cunt
cunt cuntass cuntbag cuntbags cunted cuntface cuntfaces cuntfuck cuntfucker cunthead cuntheads cunthole
cuntier cuntiest cunting cuntish cuntlick cuntlicker cuntlickers cuntlicking cuntrag cunts cunty
# ass and arse as a part of the body; ass the animal, assess, assassin and jackass are innocent
arse arsebandit arsecheek arsecheeks arsed arseface arsehole arseholed arseholes arselicker arselickers
arselicking arses arsewipe arsewipes arsing arsy assbag assbags assbandit assbang assbanged assbanger
assbanging assbite assbites assbreath asscheek asscheeks assclown assclowns asscrack asscracker asscracks
asses assface assfaces assgoblin asshat asshats asshead assheads asshole assholed assholery assholes asskick
asskicker asskicking asskiss asskisser asskissers asskissing asslick asslicker asslickers asslicking assload
assloads assmonkey assmonkeys assmunch assmuncher assmunchers assrape assraped assraping asswad asswads
asswipe asswiper asswipes badass badassed badassery badasses bumsucker bumsuckers bumsucking candyass
candyasses dumass dumasses dumbarse dumbarses dumbass dumbasses fatarse fatass fatasses hardass hardasses
jiveass kickass kissass kissasses lameass lameasses lardarse lardarses lardass lardasses smartarse
smartarses smartass smartassed smartasses suckhole tightarse tightarses tightass tightassed tightasses
wiseass wiseasses
# bitch; the dog has the same word, but nobody writes these forms of a dog
beatch beotch biatch biatches biotch bitch bitcha bitchass bitchasses bitchboy bitchboys bitched bitchen
bitcher bitcheries bitchers bitchery bitches bitchez bitchface bitchier bitchiest bitchily bitchin
bitchiness bitchinesses bitching bitchings bitchslap bitchslapped bitchslapping bitchslaps bitchtits bitchy
bytch bytches outbitch outbitched outbitches outbitching sonofabitch sonsabitches sonsofbitches sumbitch
sumbitches superbitch superbitches
# bastard as an insult; to bastardize is innocent
bastard bastardly bastards basterd basterds
# whore, slut and other words for a woman (or man) who sells or gives sex
bewhore camslut camsluts camwhore camwhores cumslut cumsluts hoebag hoebags manslut mansluts manwhore
manwhores skank skankier skankiest skanks skanky slagbag slut slutbag slutbags sluts slutshame slutshamed
slutshaming slutted slutteries sluttery sluttier sluttiest sluttily sluttiness slutting sluttish sluttishly
sluttishness sluttishnesses slutty thot thots whore whored whoredom whoredoms whorehouse whorehouses
whoreish whoremaster whoremasterly whoremasters whoremonger whoremongers whores whoreson whoresons whoring
whorish whorishly whorishness whorishnesses
# cock, dick and prick as a part of the body; cocky, cocker, dicker, dickens, dickey and pinprick are innocent
cockass cockbite cockblock cockblocked cockblocker cockblocking cockblocks cockburger cockface cockfucker
cockgobbler cockhead cockheads cockhole cockjockey cockknocker cocklick cocklicker cocklover cockmongler
cockmonkey cockmunch cockmuncher cocknose cocknugget cockring cockrings cockshit cocksmoke cocksmoker
cocksuck cocksucka cocksucked cocksucker cocksuckers cocksucking cocksucks cocktease cockteaser cockteasers
cockwaffle cockwomble cockwombles dickass dickbag dickbags dickbrain dickbrained dickbrains dickbutt
dickcheese dicked dickface dickfaces dickfuck dickfucker dickhead dickheaded dickheads dickhole dickholes
dicking dickish dickishness dickless dicklick dicklicker dickpic dickpics dickrider dickriders dickriding
dicks dicksack dickslap dicksplash dickstick dicksuck dicksucka dicksucker dicksuckers dicksucking dicktease
dickwad dickwads dickweasel dickweed dickweeds dickwhistle donkeydick horsedick limpdick limpdicks prickface
prickfaced prickhead prickish prickteaser prickteasers
# other words for parts of the body; booby, fanny, pecker, knob and beaver have innocent senses
ballbag ballbags ballsack ballsacks bawbag bawbags bellend bellends bollock bollocked bollocking bollockings
bollocks bollocksed bollockses bollocksing bollox boner boners boob boobed boobies boobing boobjob boobjobs
boobs boobz bunghole bungholes buttcheek buttcheeks buttcrack buttcracks buttface buttfaces butthead
buttheads butthole buttholes buttmunch buttmuncher buttplug buttplugs buttwipe buttwipes cameltoe cameltoes
clit clitface clits clitty cooch coochie coochies coochy cornhole cornholed cornholes cornholing fannyflaps
knobend knobends knobhead knobheads minge minges nutsack nutsacks peckerhead peckerheads peckerwood
peckerwoods poon poonani poonany poons poontang poontangs punani punanny punany pussies pussyeater pussyfart
pussylick pussylicker pussylicking quim quims schlong schlongs tallywhacker titsucker tittie titties titty
tittyfuck tittyfucker tittyfucking tittysucker twat twatface twathead twatheads twatlips twats twatted
twatting twatty twatwaffle twatwaffles vajayjay
# turd, fart and crap: mild, but nobody calls them innocent
crap crapface craphead craphole crapload craploads crapola crapolas crapped crapper crappers crappier
crappiest crappily crappiness crapping crappy craptacular craptastic fart farted farter farters fartface
farthead farting fartknocker farts turd turdball turdburglar turdface turdhead turds
# masturbation and semen; cum laude and cumber are other words
circlejerk circlejerked circlejerking circlejerks cumbucket cumbuckets cumdump cumdumps cumdumpster
cumdumpsters cumface cumguzzler cumguzzlers cummed cumming cums cumshot cumshots cumstain cumstains fap
fapped fapper fappers fapping faps jackoff jackoffs jerkoff jerkoffs jerkwad jerkwads jism jisms jizz jizzed
jizzes jizzing jizzum jizzy splooge splooged splooges splooging spooge spooged spooges spunked spunking
tosser tossers tosspot tosspots wank wanka wanked wanker wankers wankery wankier wankiest wanking wankings
wankoff wanks wankstain wankstains wanky
# sex acts and toys; clinical words (fellatio, masturbate) are no vulgar ones
anilingus ballgag blowjob blowjobs bugger buggered buggering buggers buggery bukkake bukkakes buttsex
camgirl camgirls creampie creampies deepthroat deepthroated deepthroating deepthroats dildo dildoe dildoed
dildoes dildoing dildos doggiestyle doggystyle felch felched felcher felchers felches felching feltch
feltching femdom femdoms fingerbang fingerbanged fingerbanging fingerbangs footjob footjobs gangbang
gangbanged gangbanger gangbangers gangbanging gangbangs gangrape gangraped gangrapes handjob handjobs milf
milfs muffdive muffdiver muffdivers muffdives muffdiving porno pornos pornstar pornstars queaf queafs queef
queefed queefing queefs rimjob rimjobs shagged shagger shaggers shagging sodomise sodomised sodomises
sodomising sodomize sodomized sodomizes sodomizing strapon strapons tribbing tubgirl upskirt upskirts
# sex with animals, children and relatives
goatfucker goatfuckers goatse horsefucker kiddyfiddler kiddyfiddlers lolicon lolicons paedo paedos pedo
pedobear pedobears pedos pigfucker pigfuckers sheepfucker sheepshagger sheepshaggers shotacon shotacons
sisterfucker
# slurs against Black people; niggard, niggle and Niger are other words
coonass coonasses coons darkie darkies darky golliwog golliwogg golliwoggs golliwogs gollywog gollywogs
jigaboo jigaboos jiggaboo jiggaboos jiggerboo junglebunny kaffirs mooncricket negress negresses negrohead
negroid negroids nigaboo nigga niggah niggahs niggar niggars niggas niggaz nigger niggerdom niggered
niggerhead niggerheads niggering niggerish niggerism niggerisms niggerling niggerlings niggers niggery
nigglet niggress niggresses nigguh nigguhs nigguz nignog nignogs nigs picaninnies picaninny piccaninnies
piccaninny pickaninnies pickaninny porchmonkey porchmonkeys sandnigger sandniggers spearchucker
spearchuckers wigga wiggas wigger wiggers
# slurs against other peoples; a chink in an armour, a dyke of a river and to spice are other words
abbo abbos beaner beaners bohunk bohunks cameljockey cameljockeys chinaman chinamen chinkie chinkies chinky
coolie coolies dago dagoes dagos dothead dotheads eyetie eyeties gook gooks greaseball greaseballs gypo
gypos gyppie gyppies gyppo gyppos heeb heebs hymie hymies injun injuns jap japs jewboy jewboys kike kikes
kyke kykes ofay ofays paki pakis pakki pikey pikeys pikie pikies polack polacks raghead ragheads redskin
redskins sandmonkey shiksa shiksas slanteye slanteyed slanteyes slopehead spic spick spicks spics spik spiks
squaw squaws towelhead towelheads wetback wetbacks wog woggish wogs wop wopped wops yid yids zipperhead
zipperheads
# slurs against homosexual and transgender people; fagot as a bundle is rare beside the slur; Homo and Lesbos are names
battyboy battyboys bulldike bulldikes bulldyke bulldykes bumboy bumboys buttpirate buttpirates carpetmuncher
carpetmunchers dykey fag fagboy fagboys fagged faggeries faggery faggier faggiest fagging faggit faggits
faggot faggoted faggotries faggotry faggots faggoty faggy fagot fagots fags fagtard fagtards fudgepacker
fudgepackers fudgepacking gaytard gaywad gaywads homos lezbo lezbos lezza lezzas lezzer lezzers lezzie
lezzies lezzy muffmuncher poof poofs poofta pooftah pooftahs poofter poofters poofy poove pooves rugmuncher
rugmunchers shemale shemales shirtlifter shirtlifters sodomite sodomites trannie trannies tranny
# slurs against people with a disability, and insults of the mind
libtard libtards mongoloid mongoloids retard retarded retards spacker spackers spastic spastics spaz spazz
spazzed spazzes spazzing
# other insults that are vulgar as a whole
dickweasels dingleberries dingleberry douchebag douchebaggery douchebags douchecanoe douchewaffle douchey
goddam goddammit goddamn goddamned goddamnit jagoff jagoffs numbnut numbnuts scumbag scumbags scumsucker
scumsuckers thundercunt thundercunts
`)
