/** What a denial tells the model to do next. Whoever tells people of the denial leaves it out. */
export const ADVICE = {
  wait: 'Stop and wait for what the user says next.',
  report: 'Go on without it, or report what you could not do.',
  ask: 'Go on without it, or say what you would need.',
  judge:
    'Go on by your own judgement and say what you assumed, or say what you would need to know.',
} as const;

/** A denial as people read it: without the advice at its end. */
export function withoutAdvice(message: string): string {
  const advice = Object.values(ADVICE).find((text) => message.endsWith(` ${text}`));
  return advice === undefined ? message : message.slice(0, -advice.length - 1);
}
