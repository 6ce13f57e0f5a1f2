import { expect, test } from 'bun:test'
import { groupList } from './channels/wire.ts'
import { RenderCache } from './render-cache.ts'

test('renders a whole list once, with its compressed variants, until the array is another', async () => {
  const cache = new RenderCache()
  const groups = ['a', 'b']
  const [first, second] = await Promise.all([
    cache.render(groupList, groups, undefined),
    cache.render(groupList, groups, undefined),
  ])
  expect(first.body).toBe('["a","b"]')
  expect(first.variants).toBeInstanceOf(Map)
  expect(second).toBe(first)
  expect(cache.render(groupList, groups, undefined)).toBe(first)
  expect(await cache.render(groupList, [...groups], undefined)).not.toBe(first)
})

test('does not cache a page', async () => {
  const page = { limit: 1, cursor: undefined }
  const rendered = await new RenderCache().render(groupList, ['a', 'b'], page)
  expect([rendered.body, rendered.next, rendered.variants]).toEqual(['["a"]', ['groups', 'a'], undefined])
})

test('renders a list again after a failure', async () => {
  const cache = new RenderCache()
  const groups = ['a']
  const broken = {
    ...groupList,
    render: () => {
      throw new Error('broken')
    },
  }
  await expect(Promise.resolve(cache.render(broken, groups, undefined))).rejects.toThrow('broken')
  expect((await cache.render(groupList, groups, undefined)).body).toBe('["a"]')
})
