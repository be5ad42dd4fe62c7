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

export function clock(at: number): string {
  return new Date(at).toLocaleTimeString();
}
