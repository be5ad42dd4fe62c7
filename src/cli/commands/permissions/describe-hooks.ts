/** In words; nothing where there are none. */
export function describeHooks(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 hook may decide otherwise' : `${count} hooks may decide otherwise`];
}
