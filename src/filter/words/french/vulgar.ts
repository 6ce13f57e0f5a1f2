import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (chatte, pédale, baiser, gueule, queue) are not here. */
export const frenchVulgarWords = readVulgarWords(`
# putain
fdp filsdeputerie filsdeputeries ntm putain putains putasse putasses putassier putassière pute puterie putes
# con
con conard conards conasse conasses connard connarde connardes connards connasse connasses conne connerie
conneries connes cons déconnade déconnades déconnant déconnante déconne déconnent déconner déconnes déconné
trouduc trouducs trouducul
# merde
démerda démerdaient démerdais démerdait démerdant démerdard démerde démerdent démerder démerdera
démerderaient démerderais démerderait démerderas démerderez démerderont démerdes démerdez démerdons
démerdèrent démerdé démerdée démerdées démerdés emmerda emmerdaient emmerdais emmerdait emmerdant emmerdante
emmerdants emmerde emmerdement emmerdements emmerdent emmerder emmerdera emmerderaient emmerderais
emmerderait emmerderas emmerderez emmerderont emmerdes emmerdeur emmerdeurs emmerdeuse emmerdeuses emmerdez
emmerdons emmerdèrent emmerdé emmerdée emmerdées emmerdés merdasse merde merder merdes merdeuse merdeuses
merdeux merdier merdiers merdique merdiques merdouille merdé
# sex
baisable baise baises baiseur baiseurs baiseuse baiseuses baisé baisée baisées baisés bite bites branlage
branler branlette branlettes branleur branleurs branleuse branleuses branlé burnes chibre chibres couille
couilles couillon couillonnade couillonner couillons couillu cramouille cul culs enculade enculage encule
enculer enculerie encules enculeur enculeurs enculé enculée enculées enculés foufoune foufounes foutre
foutres imbaisable nibard nibards nichon nichons nique niquent niquer niques niqué niquée niqués partouze
partouzer partouzes roubignoles roubignolles roupettes teub teubs zob zobs
# excrement
chiaient chiais chiait chiant chiante chiantes chiants chiasse chiasses chie chient chier chiera chieraient
chierais chierait chieras chierez chierie chieront chies chieur chieurs chieuse chieuses chiez chions
chiotte chiottes chièrent chié chiée chiées chiés conchier conchiée pissa pissaient pissais pissait pissant
pisse pissent pisser pissera pisseraient pisserais pisserait pisseras pisserez pisseront pisses pisseuse
pisseux pissez pissons pissèrent pissé pissée pissées pissés
# insults
bordel bordels catin catins enfoiré enfoirée enfoirées enfoirés garce garces grognasse grognasses pouffiasse
pouffiasses poufiasse pétasse pétasses salaud salauds salop salopard salopards salope saloperie saloperies
salopes salopiaud salops
# slurs
bamboula bamboulas bicot bicots bougnoule bougnoules chinetoque chinetoques gouine gouines niakoué niakoués
nègre nègres négresse négresses négrillon négrillons négro négros pédé pédés tarlouze tarlouzes youpin
youpine youpines youpins
# Québec
calisse câlice câlisse noune osti ostie osties tabarnac tabarnak tabarnaque viarge
`)
