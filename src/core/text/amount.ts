/** A whole number with its noun, such as "1 line" or "1,200 lines". */
export function amount(count: number, one: string, many = `${one}s`): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ','); // `toLocaleString` would load the data of languages
  return `${digits} ${count === 1 ? one : many}`;
}
