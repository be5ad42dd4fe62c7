/** Describe the number of hooks; nothing if there are no hooks. */
export function describeHooks(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 hook may decide otherwise' : `${count} hooks may decide otherwise`];
}
