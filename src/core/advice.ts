/** The advice to the model at the end of a denial. Texts for people leave it out. */
export const ADVICE = {
  wait: 'Stop and wait for what the user says next.',
  report: 'Continue without it, or report what you could not do.',
  ask: 'Continue without it, or say what you would need.',
  follow: 'Follow that instruction.',
  followAndReport: 'Follow that instruction, and report what you could not do.',
  judge:
    'Continue by your own judgement and say what you assumed, or say what you would need to know.',
} as const;

/** Return a denial for people: without the advice at its end. */
export function withoutAdvice(message: string): string {
  const advice = Object.values(ADVICE).find(
    (text) => message.endsWith(` ${text}`) || message.endsWith(`\n${text}`),
  );
  return advice === undefined ? message : message.slice(0, -advice.length - 1);
}
