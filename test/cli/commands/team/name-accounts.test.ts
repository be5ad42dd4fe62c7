import { expect, it } from 'vitest';
import { nameAccounts } from '../../../../src/cli/commands/team/name-accounts.js';

it('people read whose budget it is, and no id', () => {
  const workflow = 'aworkflow-0123456789abcdef';
  const reached = (account: string): string =>
    `Reached the budget of 1 second of ${account} and all below it: 1 second is used.`;
  const named = (text: string): string => nameAccounts(text, 'small', workflow);
  expect([
    named(reached(workflow)),
    named(`the budget of ${workflow} allows 1 agents at once below it`),
    named(`"d": ${reached('ageneral_purpose-ea7f97b35dd36402')}`),
    named('Exit code 1'),
  ]).toEqual([
    reached('the team "small"'),
    'the budget of the team "small" allows 1 agents at once below it',
    `"d": ${reached('its agent')}`,
    'Exit code 1',
  ]);
});
