import { z } from 'zod';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionUpdate,
} from '../../core/permission-types.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { findPlanModeProblem } from './find-plan-mode-problem.js';
import { ToolInputError } from '../tool-input-error.js';

export const ExitPlanModeInput = z.object({
  plan: z
    .string()
    .refine((text) => text.trim() !== '', 'the plan is empty')
    .describe('The whole plan, in Markdown, for the user to read'),
});
export type ExitPlanModeInput = z.infer<typeof ExitPlanModeInput>;

export const ExitPlanModeOutput = z.lazy(() =>
  z.object({
    /** As it was approved: the user may have changed it. */
    plan: z.string(),
    /** The mode from now on. */
    mode: z.enum(PERMISSION_MODES),
    /** The lead of a teammate has the plan and has not answered yet. */
    isWaiting: z.boolean().optional(),
  }),
);
export type ExitPlanModeOutput = Readonly<z.infer<typeof ExitPlanModeOutput>>;

const ACCEPT_EDITS: PermissionUpdate = {
  type: 'setMode',
  mode: 'acceptEdits',
  destination: 'session',
};

/**
 * Presents a plan. If it is approved, the session returns to the mode before plan mode, or gets the mode of the
 * decision. If it is refused, plan mode stays. A teammate that must present its plan sends it to its lead, whose answer
 * is a message. Other agents cannot use the tool.
 */
export const ExitPlanModeTool = completeTool<typeof ExitPlanModeInput, ExitPlanModeOutput>({
  name: 'ExitPlanMode',
  searchHint: 'present a plan for approval, start work',
  inputSchema: ExitPlanModeInput,
  outputSchema: ExitPlanModeOutput,
  askKind: 'plan',
  maxResultSizeChars: Infinity, // no longer than the text of the model or the user
  requiresUserInteraction: () => true,
  interruptBehavior: () => 'cancel',
  description: () => 'Present a plan',
  prompt: () => PROMPT,
  checkPermissions(_input, { permissions, tasks }) {
    if (tasks.teams?.needsPlan() === true)
      return allowCoordination('asks the lead, who gives no permission');
    return Promise.resolve({
      behavior: 'ask',
      message: 'Approve this plan?',
      decisionReason: { type: 'other', reason: 'only a person can approve a plan' },
      suggestions: isStricter(permissions.current?.().prePlanMode) ? [ACCEPT_EDITS] : [],
    });
  },
  present: ({ mode, isWaiting }) => ({
    kind: 'summary',
    text: isWaiting === true ? 'the lead has the plan' : `approved, mode ${mode}`,
  }),
  mapToolResultToToolResultBlockParam: ({ plan, mode, isWaiting }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content:
      isWaiting === true
        ? WAITING
        : `The user has approved the plan. Plan mode is over, the mode is ${mode}: carry the plan out.\n\nThe plan as approved:\n${plan}`,
  }),

  validateInput(_input, context) {
    if (context.tasks.teams?.needsPlan() === true) return Promise.resolve({ result: true });
    const message = findPlanModeProblem('ExitPlanMode', context.permissions);
    return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
  },

  async call({ plan }, { permissions: { current, update }, tasks: { teams } }) {
    if (update === undefined && teams?.needsPlan() === true) {
      await teams.submitPlan(plan);
      return { data: { plan, mode: 'plan', isWaiting: true } };
    }
    if (current === undefined || update === undefined) {
      const message = 'ExitPlanMode: only the main agent can do this.';
      throw new ToolInputError('ExitPlanMode', message);
    }
    const { mode, prePlanMode = 'default' } = current();
    if (mode === 'plan')
      // otherwise the decision has set another mode
      update({ type: 'setMode', mode: prePlanMode, destination: 'session' });
    return { data: { plan, mode: current().mode } };
  },
});

/** Whether accepting edits would allow more than the mode before. */
function isStricter(mode: PermissionMode | undefined): boolean {
  return mode !== 'bypassPermissions' && mode !== 'acceptEdits';
}

const WAITING =
  'Your lead has the plan. You stay in plan mode: end your reply now; the answer comes as a message and wakes you.';

const PROMPT = `Presents your plan to the user. If they approve it, plan mode ends, and you may carry the plan out within the session's permissions.

- Use it only in plan mode, when the plan is complete. Ask questions before, with AskUserQuestion.
- If they refuse, you stay in plan mode: change the plan as they say and present it again.`;
