/** The stderr of a run, without the tool calls that were denied. */
export function withoutDenied(stderr: string): string {
  return stderr.replace(/^troupe: denied: .*\n/gm, '');
}
