/** How errors of budgets name whose budget it is. */
const ACCOUNT = / of a\S+-[0-9a-f]{16} and all below it/g;

/**
 * Says what people know in the place of ids of agents that have a budget.
 *
 * @param agentId the one that stands for the workflow of the team
 */
export function nameAccounts(text: string, team: string, agentId: string | undefined): string {
  const named = agentId === undefined ? text : text.replaceAll(agentId, `the team "${team}"`);
  return named.replace(ACCOUNT, ' of its agent and all below it');
}
