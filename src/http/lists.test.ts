import { expect, test } from 'bun:test'
import { KeptLists } from './lists.ts'
import { groupList } from './wire.ts'

test('a whole list is rendered once, with room for its compressed forms, until it is another array', async () => {
  const kept = new KeptLists()
  const groups = ['a', 'b']
  const [first, second] = await Promise.all([
    kept.render(groupList, groups, undefined),
    kept.render(groupList, groups, undefined),
  ])
  expect(first.body).toBe('["a","b"]')
  expect(first.forms).toBeInstanceOf(Map)
  expect(second).toBe(first)
  expect(kept.render(groupList, groups, undefined)).toBe(first)
  expect(await kept.render(groupList, [...groups], undefined)).not.toBe(first)
})

test('a page is not kept', async () => {
  const page = { limit: 1, cursor: undefined }
  const rendered = await new KeptLists().render(groupList, ['a', 'b'], page)
  expect([rendered.body, rendered.next, rendered.forms]).toEqual(['["a"]', ['groups', 'a'], undefined])
})

test('a list that could not be rendered is rendered again', async () => {
  const kept = new KeptLists()
  const groups = ['a']
  const broken = {
    ...groupList,
    render: () => {
      throw new Error('broken')
    },
  }
  await expect(Promise.resolve(kept.render(broken, groups, undefined))).rejects.toThrow('broken')
  expect((await kept.render(groupList, groups, undefined)).body).toBe('["a"]')
})
