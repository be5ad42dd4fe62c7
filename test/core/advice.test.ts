import { expect, it } from 'vitest';
import { ADVICE, withoutAdvice } from '../../src/core/advice.js';

it('people read why something was denied, without the advice to the model', () => {
  const denied = 'Permission to use Bash was denied by the user.';
  expect(Object.values(ADVICE).map((advice) => withoutAdvice(`${denied} ${advice}`))).toEqual(
    Object.values(ADVICE).map(() => denied),
  );
});

it('people read what somebody said to it, without the advice in the next line', () => {
  const said = 'Permission to use Bash was denied by the user. The user said: use gitlab.';
  expect(withoutAdvice(`${said}\n${ADVICE.follow}`)).toBe(said);
});

it('what a program has said of itself stays whole', () => {
  const said = `${ADVICE.wait} Do not merge.\nContinue by hand.`;
  expect(withoutAdvice(said)).toBe(said);
});
