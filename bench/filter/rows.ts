import type { Measurement } from '../support.ts'

export type Goal = { readonly atLeast: number } | { readonly atMost: number }

interface Row {
  readonly what: string
  readonly parley: string
  readonly baseline?: string
  readonly figure: number
  readonly unit: string
  readonly goal?: Goal | undefined
}

export function toMeasurement({ what, parley, baseline = '', figure, unit, goal }: Row): Measurement {
  return { what, parley, baseline, figure, unit, target: describe(goal), isMet: isMet(figure, goal) }
}

const describe = (goal: Goal | undefined) => {
  if (goal === undefined) return ''
  return 'atLeast' in goal ? `≥ ${round(goal.atLeast)}` : `≤ ${round(goal.atMost)}`
}

function isMet(figure: number, goal: Goal | undefined): boolean {
  if (goal === undefined) return true
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost
}

const round = (value: number) => Number(value.toFixed(2))

export const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)

export const percent = (value: number, digits = 1) => `${value.toFixed(digits)} %`
