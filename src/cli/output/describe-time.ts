/** A time span in seconds, such as `12.3 s`. */
export function describeSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** A time span in its two largest units, such as `3m 12s`. */
export function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
