/**
 * Words that the dictionary lacks: those of two letters, and abbreviations of chat. A word that players write in two
 * parts must have a part that is no word, and `afking` is no form of `fking`.
 */
export const englishChatWords: readonly string[] = `
ad ah am an as at aw be by do eh em er ex go ha he hi hm ho if in is it jk la lo ma me mm my no of oh ok on op or ow ox pa
re sh so to tv uh um un up us vs we ya ye yo
afk afks afked afking bot bots brb btw cnt cos cuz dc dced dm dms dnt dps ez fps gf gg ggs ggwp gj gl glhf gn gtg hp idc
idk ikr im imo irl iv ive jg jgl jungler kk ks lmao lol lols mid mids mmo mmr mp nerf nerfed nj noob noobs np npc nt nvm ofc
omg omw op osrs ping pls plz pve pvp qq rip rly rofl rpg sry sup tbh tho thx tks toplane ty tyt ult ults ur vc vs wanna wat
wnt wp wtb wts wth xd xp yea yep
`
  .trim()
  .split(/\s+/)
