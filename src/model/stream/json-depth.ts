/** Values nested deeper than this are refused: code that walks them is recursive, and the stack is finite. */
export const DEEPEST_JSON = 500;

/** Whether objects and lists are nested more than `DEEPEST_JSON` deep. Works without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEEPEST_JSON) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
