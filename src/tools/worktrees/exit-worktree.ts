import { z } from 'zod';
import { allowCoordination } from '../allow-coordination.js';
import { completeTool } from '../complete-tool.js';
import type { ToolUseContext } from '../tool.js';
import { ToolInputError } from '../tool-input-error.js';
import { leaveFolder } from './working-folder.js';

export const ExitWorktreeInput = z.object({
  action: z
    .enum(['keep', 'remove'])
    .describe('keep: the worktree and its branch stay; remove: both are deleted'),
  discard_changes: z
    .boolean()
    .default(false)
    .describe('With remove: delete uncommitted changes and commits too. A person must approve'),
});
export type ExitWorktreeInput = z.infer<typeof ExitWorktreeInput>;

export const ExitWorktreeOutput = z.lazy(() =>
  z.object({
    action: z.enum(['keep', 'remove']),
    /** The working folder from now on, an absolute path. */
    originalCwd: z.string(),
    worktreePath: z.string(),
    worktreeBranch: z.string(),
    /** Why something of the worktree stays although it was removed. */
    left: z.string().optional(),
  }),
);
export type ExitWorktreeOutput = Readonly<z.infer<typeof ExitWorktreeOutput>>;

/** Leads back out of the worktree that the agent entered. Work is only deleted if a person approves. */
export const ExitWorktreeTool = completeTool<typeof ExitWorktreeInput, ExitWorktreeOutput>({
  name: 'ExitWorktree',
  shouldDefer: true,
  searchHint: 'leave, keep or delete the isolated copy',
  inputSchema: ExitWorktreeInput,
  outputSchema: ExitWorktreeOutput,
  isDestructive: discards,
  toAutoClassifierInput: ({ action, discard_changes }) =>
    `${action}${discard_changes ? ', discarding changes' : ''}`,
  checkPermissions(input, { files }) {
    if (!discards(input)) return allowCoordination('deletes no work');
    const path = files.worktrees?.entered()?.path ?? 'the worktree';
    const reason = `it deletes ${path} with all changes and commits in it`;
    return Promise.resolve({
      behavior: 'ask',
      message: `ExitWorktree: ${reason}.`,
      decisionReason: { type: 'safetyCheck', reason, classifierApprovable: false },
    });
  },
  description: (input) =>
    discards(input)
      ? 'Delete the worktree with its changes'
      : `Leave the worktree (${input.action})`,
  prompt: () => PROMPT,
  present: (output) => ({
    kind: 'summary',
    text: `back in ${output.originalCwd}. ${describeEnd(output)}`,
  }),
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `You are back in ${output.originalCwd}. ${describeEnd(output)}`,
  }),

  validateInput(input, context) {
    const message = findProblem(input, context);
    return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
  },

  async call(input, context) {
    const { worktrees } = context.files;
    const problem = findProblem(input, context);
    if (problem !== undefined || worktrees === undefined) throw failed(problem ?? NOT_IN_ONE);
    context.call.abortController.signal.throwIfAborted();
    const { action } = input;
    const { worktree, isLeft, why } = await worktrees.leave(discards(input) ? 'discard' : action);
    const { path, branch, cwd } = worktree;
    if (!isLeft)
      throw failed(
        `ExitWorktree: nothing was removed, and you still work in ${path}, because ${why}. Commit and merge the work into another branch, or use action "keep". If the user wants to lose the work, use discard_changes: true.`,
      );
    return {
      data: {
        action,
        originalCwd: leaveFolder(context.files, cwd).projectRoot,
        worktreePath: path,
        worktreeBranch: branch,
        ...(why !== undefined && { left: why }),
      },
      contextModifier: (previous) => ({
        ...previous,
        files: { ...previous.files, ...leaveFolder(previous.files, cwd) },
      }),
    };
  },
});

function discards({ action, discard_changes }: ExitWorktreeInput): boolean {
  return action === 'remove' && discard_changes;
}

function failed(message: string): ToolInputError {
  return new ToolInputError('ExitWorktree', message);
}

function findProblem(
  { action, discard_changes }: ExitWorktreeInput,
  { files: { worktrees }, permissions }: ToolUseContext,
): string | undefined {
  if (worktrees?.entered() === undefined) return NOT_IN_ONE;
  if (action === 'keep' && discard_changes)
    return 'ExitWorktree: discard_changes goes with action "remove". With "keep" nothing is deleted.';
  if (action === 'remove' && permissions.current?.().mode === 'plan')
    return 'ExitWorktree: in plan mode nothing is removed. Use action "keep", or present your plan with ExitPlanMode first.';
  return undefined;
}

function describeEnd({ action, worktreePath, worktreeBranch, left }: ExitWorktreeOutput): string {
  if (action === 'keep')
    return `The worktree ${worktreePath} and its branch ${worktreeBranch} stay.`;
  if (left !== undefined) return `Of the worktree ${worktreePath}, ${left}.`;
  return `The worktree ${worktreePath} and its branch ${worktreeBranch} are removed.`;
}

const NOT_IN_ONE =
  'ExitWorktree: you are in no worktree that you entered with EnterWorktree. Nothing was changed.';

const PROMPT = `Leads you back from a worktree that you entered with EnterWorktree to the original folder.

- action "keep": the worktree and its branch stay on disk. Use it if there is work to merge, or if you are not sure.
- action "remove": both are deleted. It is refused if that would lose uncommitted changes, or commits that no other branch, tag or remote has.
- discard_changes: true deletes them too. Set it only if the user says that the work may be lost; a person must approve it.`;
