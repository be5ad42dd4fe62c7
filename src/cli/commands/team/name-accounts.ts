/** The owner of a budget, as errors of budgets name it. */
const ACCOUNT = / of a\S+-[0-9a-f]{16} and all below it/g;

/**
 * Replace the IDs of agents that have a budget by words for people.
 *
 * @param agentId the agent of the team's workflow
 */
export function nameAccounts(text: string, team: string, agentId: string | undefined): string {
  const named = agentId === undefined ? text : text.replaceAll(agentId, `the team "${team}"`);
  return named.replace(ACCOUNT, ' of its agent and all below it');
}
