import { readVulgarWords } from '../vulgar-words.ts'

/** Reviewed by hand: vulgar, obscene or a slur wherever they are written. Words with a common innocent sense (zorra, concha, paja, pollo, coger) are not here. */
export const spanishVulgarWords = readVulgarWords(`
# puta; computar and disputa are other words
hideputa hijaputa hijaputas hijoputa hijoputas hijueputa hijueputas joputa jueputa malputa puta putada
putadas putas puteada puteadas puteado puteando putear putero puteros puterío putilla putillas putita
putitas puto putona putones putos putón
# joder, follar, chingar and their forms
chinga chingada chingadas chingadera chingaderas chingado chingados chingan chingando chingar chingas chingo
chingona chingones chingó chingón chíngate folla follada folladas follado follador folladora folladores
follados follamiga follamigo follan follando follar follara follaran follaras follarlas follarlos follarnos
follarse follarte follará follarán follarás follas folle folles follo follé folló jode joden joder jodes
jodete jodida jodidas jodido jodidos jodienda jodiendo jodió jodí jódete
# parts of the body
acojonado acojonar cojones cojonuda cojonudo cojonudos cojón coñazo coñazos coño coños culazo culazos culera
culeras culero culeros culiada culiado culiao culito culo culos güevón huevona huevones huevón picha pichas
polla pollas pollones pollón tetas tetona tetonas tetuda tetudas verga vergas vergazo vergón
# excrement
caga cagada cagadas cagado cagados cagan cagando cagar cagarla cagarse cagas cago cagona cagó cagón
comemierda comemierdas mierda mierdas mierdosa mierdoso
# insults
boluda boludas boludo boludos cabrona cabronada cabronadas cabronas cabronazo cabroncete cabrones cabrón
calientapollas carajo carajos chupapollas comepollas encabrona encabronada encabronado encabronan
encabronando encabronar encabronarse encabronas furcia furcias gilipollas gilipolleces gilipollez jilipollas
lameculos malparida malparido malparidos mamada mamadas mamaguevo mamagüevo mamahuevo mamapollas pajillero
pajilleros pelotuda pelotudas pelotudez pelotudo pelotudos pendeja pendejada pendejadas pendejas pendejo
pendejos ramera rameras soplapollas tocahuevos tocapelotas
# slurs
bollera bolleras bujarrones bujarrón joto jotos marica maricas maricona mariconada mariconadas mariconas
mariconazo maricones maricón moraco negrata negratas sudaca sudacas travelo travelos
`)
