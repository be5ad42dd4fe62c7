import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { findPlanModeProblem } from './find-plan-mode-problem.js';
import { allowCoordination } from '../allow-coordination.js';
import { ToolInputError } from '../tool-input-error.js';

export const EnterPlanModeInput = z.object({});
export type EnterPlanModeInput = z.infer<typeof EnterPlanModeInput>;

/** Sets the session's mode to `plan`. The mode is stricter, so no approval is needed. Only for the main agent. */
export const EnterPlanModeTool = completeTool<typeof EnterPlanModeInput, string>({
  name: 'EnterPlanMode',
  searchHint: 'explore and plan before changing anything',
  inputSchema: EnterPlanModeInput,
  outputSchema: z.string(),
  checkPermissions: () => allowCoordination('makes the session stricter'),
  description: () => 'Plan first',
  present: () => ({
    kind: 'summary',
    text: 'plan mode: nothing is changed until a plan is approved',
  }),
  prompt: () => PROMPT,

  validateInput(_input, context) {
    const message = findPlanModeProblem('EnterPlanMode', context.permissions);
    return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
  },

  call(_input, context) {
    const problem = findPlanModeProblem('EnterPlanMode', context.permissions);
    if (problem !== undefined) return Promise.reject(new ToolInputError('EnterPlanMode', problem));
    context.permissions.update?.({ type: 'setMode', mode: 'plan', destination: 'session' });
    return Promise.resolve({ data: ENTERED });
  },
});

const ENTERED =
  'The session is in plan mode: only read-only tools and commands may run. Explore, make a plan, and present it with ExitPlanMode; the user approves it or says what to change.';

const PROMPT = `Enters plan mode. Only read-only tools and commands may run until the user has approved a plan that you present with ExitPlanMode.

- Use it before larger changes if there is more than one way, so that the user can choose. Small and clear changes need no plan.`;
