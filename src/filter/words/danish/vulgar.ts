import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (bøsse, svans, røve, fart) are not here. */
export const danishVulgarWords = readVulgarWords(`
# parts of the body; røve and røver (to rob) are other words
blærerøv blærerøve bonderøv bøsserøv bøsserøve fattigrøv fedterøv fedterøve fisse fissehår fissekarl
fisselette fissen fisser fisserne hængerøv kusse kussehår kussen kusser kussetyv møgrøv narrøv narrøve pik
pikhoved pikhoveder pikke pikken pikkene pikslikker røv røvbanan røvbananer røven røvene røvfuld røvgevir
røvhul røvhuller røvhullet røvkedelig røvpule røvrende røvrendt røvslikker røvsyg røvtur
# sex
flueknepper flueknepperen flueknepperi fuck fucke fucker fucket fuckfinger fucking kneppe kneppede knepper
kneppes kneppet pule pulede puler
# excrement
afpisse fuglelort hestelort hundelort lort lorte lortebrun lortefilm lorteland lorten lorter lortet
lortevejr muselort pis pisse pissede pisseligeglad pissen pisser pisset shit skid skide skider skiderik
skiderikker skidespræller tyndskid
# insults and slurs
bitch bitches gadeluder kælling kællingen kællinger kællingerne luder ludere luderen luderkarl luderne
luksusluder medieluder mokke mokker møgkælling møgso møgsvin narkoluder neger negerbolle negere negeren
negerne perker perkere perkeren perkerne plasticperker plastikperker rejekælling
`)
