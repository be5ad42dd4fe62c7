/** A number with its noun, such as "1 line" or "1,200 lines". */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
