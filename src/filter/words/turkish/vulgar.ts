import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (meme, döl, top, çingene) are not here. */
export const turkishVulgarWords = readVulgarWords(`
# sik and sikmek; sıkmak (to squeeze), sikke (coin) and siklon are other words
hassiktir sik sike sikecek siken siker sikerim sikerler sikersin sikeyim siki sikicem sikici sikik sikilen
sikilmek sikilmiş sikim sikimde sikime sikimi sikin sikinde sikiyor sikiyorum sikiş sikişen sikişmek sikko
siklemek siklemiyor sikler siklere sikleri sikme sikmek sikmem sikmiş sikte sikten sikti siktiler siktim
siktin siktir siktirgit siktirin siktiğim siktiğimin
# am, amcık
amcık amcıklar amcıkları amcığa amcığı amcığın amk amq amına amınakoyayım amınakoyim amını
# other parts of the body
daşak daşşak daşşaklı daşşağı göt göte götlek götler götlere götleri götoş götte götten götveren götverenin
götverenler götü götüm götün götüne götünü taşak taşaklar taşakları taşaklı taşakçı taşağa taşağı taşağım
taşağın yarak yaraklar yarakları yarağa yarağı yarağım yarağımı yarağın yarrak yarraklar yarrağa yarrağı
yarrağım çük çükü
# excrement
bok boka boklar boklu bokluk boktan boku bokun bombok sıçar sıçarım sıçayım sıçma sıçmak sıçtı sıçtık sıçtım
sıçtın sıçıyor
# insults
dallama dallamalar gavat gavatlar gavatı kahpe kahpece kahpeler kahpelik kahpenin kaltak kaltaklar kaltaklık
kaltağa kaltağı kaltağın kevaşe orospu orospucuk orospudan orospular orospulu orospuluk orospunun orospuya
orospuyu orospuçocuğu pezevenge pezevengi pezevengin pezevenk pezevenkler pezevenklik piç piçi piçin piçler
piçleri piçlik puşt puştlar puştluk puştu sakso saksocu saksocular sürtük sürtükler sürtüğü yavşak yavşaklar
yavşaklık yavşağa yavşağı yavşağın
# slurs
ibne ibneler ibnelik ibnenin ibneye ibneyi
`)
