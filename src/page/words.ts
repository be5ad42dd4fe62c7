/** Times and amounts in words. */

export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function usd(amount: number | undefined): string {
  return amount === undefined ? 'cost unknown' : `$${amount.toFixed(4)}`;
}

export function count(amount: number): string {
  return amount.toLocaleString('en');
}

/** Such as `2 requests`. */
export function plural(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

export function clock(at: number): string {
  return new Date(at).toLocaleTimeString();
}

/** The time, with the date if it is not today. */
export function moment(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock(at) : `${date.toLocaleDateString()} ${clock(at)}`;
}
