import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (bøsse, svans, røve, fart) are not here. */
export const danishVulgarWords = readVulgarWords(`
# parts of the body; røve and røver (to rob) are other words
blærerøv blærerøve blærerøven bonderøv bonderøve bonderøven bøsserøv bøsserøve bøsserøven fattigrøv
fattigrøve fattigrøven fedterøv fedterøve fedterøven fisse fissehår fissekarl fisselette fissen fisser
fisserne hængerøv hængerøve hængerøven kusse kussehår kussen kusser kussetyv møgrøv narrøv narrøve pik
pikhoved pikhoveder pikke pikken pikkene pikslikker røv røvbanan røvbananer røven røvene røvfuld røvgevir
røvhul røvhuller røvhullet røvkedelig røvpule røvrende røvrendt røvslikker røvsyg røvtur
# sex
flueknepper flueknepperen flueknepperi fuck fucke fucker fucket fuckfinger fucking kneppe kneppede knepper
kneppes kneppet pule pulede puler
# excrement
afpisse fuglelort fuglelorte fuglelorten hestelort hestelorte hestelorten hundelort hundelorte hundelorten
lort lorte lortebrun lortefilm lorteland lorten lortens lorter lortet lortevejr muselort muselorte pis pisse
pissede pisseligeglad pissen pisser pisset shit skid skide skider skiderik skiderikker skidespræller
tyndskid
# insults and slurs
bitch bitches gadeluder gadeludere gadeluderen kælling kællingen kællinger kællingerne ludder luddere
ludderen ludderkarl luddernes luder ludere luderen luderkarl luderkarle luderkarlen luderne luksusluder
medieluder mokke mokker møgkælling møgso møgsvin narkoluder neger negerbolle negere negeren negerne perker
perkere perkeren perkerne plasticperker plastikperker rejekælling
`)
