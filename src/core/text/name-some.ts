/** A list for a message, such as `a, b and 7 more`. */
export function nameSome(names: readonly string[], most: number): string {
  const more = names.length - most;
  const first = names.slice(0, most).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
