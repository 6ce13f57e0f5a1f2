/** Used if the labeled corpora are missing. */
export const INNOCENT_WORDS = `
again all almost alone already also always anyone around attack away back base battle because before behind best better
big both bottom bring buy call camp can care carry castle catch chance change check choose clear close come could cover
damage day deal defend did done door down dragon draw drop early easy end enemy enough escape even every far fast fight
finally find finish first five follow forest found four free friend from front game gate gave get give going gold gone
good great group guard guys half happen hard have heal health hear help here hero hide high hold home hope horse how hurt
idea inside item join jump just keep key kill king know late lead leave left less let level life like line little long
look lose lost lot love low luck made magic make many map maybe mean meet middle mine minute miss moment money more most
move much near need never new next nice night nobody nothing now number off often okay old once one only open other our
out over own party people place plan play player please point power push quest quick quite race ready real really red rest
right river road round run safe same save say second see seem send share shield short should show side skill sleep slow
small some someone soon sorry spell stand start stay still stone stop strong such sure sword take talk team tell thank
that them then there thing think this three through time today together told tomorrow too took top tower town trade tree
trust try turn under until upper use very wait walk wall want warm watch water way weak well went were what when where
which while who why will win wish with wood word work world would wrong year yes yesterday yet young your
`
  .trim()
  .split(/\s+/)
