import { z } from 'zod';
import { createShortId } from '../../core/ids.js';
import { allowCoordination } from '../allow-coordination.js';
import { completeTool } from '../complete-tool.js';
import type { ToolUseContext } from '../tool.js';
import { ToolInputError } from '../tool-input-error.js';
import { enterFolder } from './working-folder.js';

const NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]|\.(?!\.|$))*$/;

export const EnterWorktreeInput = z.object({
  name: z
    .string()
    .max(64)
    .refine(
      (name) => NAME.test(name) && !name.endsWith('.lock'),
      'a name has letters, digits, "_", "-" and single dots, and does not begin with "-" or "."',
    )
    .optional()
    .describe('Name of the worktree and its branch; a random one if absent'),
});
export type EnterWorktreeInput = z.infer<typeof EnterWorktreeInput>;

export const EnterWorktreeOutput = z.lazy(() =>
  z.object({
    /** Absolute path of the worktree. */
    worktreePath: z.string(),
    worktreeBranch: z.string(),
    /** The working folder from now on, an absolute path. */
    cwd: z.string(),
    /** The project root before. */
    originalCwd: z.string(),
  }),
);
export type EnterWorktreeOutput = Readonly<z.infer<typeof EnterWorktreeOutput>>;

/** Makes a git worktree, in which the main agent works from the next call on. */
export const EnterWorktreeTool = completeTool<typeof EnterWorktreeInput, EnterWorktreeOutput>({
  name: 'EnterWorktree',
  shouldDefer: true,
  searchHint: 'work isolated on a new branch in a copy',
  inputSchema: EnterWorktreeInput,
  outputSchema: EnterWorktreeOutput,
  toAutoClassifierInput: ({ name = '' }) => name,
  checkPermissions: () =>
    allowCoordination('makes a folder and a branch that ExitWorktree removes'),
  description: ({ name }) => (name === undefined ? 'Enter a worktree' : `Enter worktree ${name}`),
  prompt: () => PROMPT,
  present: ({ worktreePath, worktreeBranch }) => ({
    kind: 'summary',
    text: `${worktreePath}, on the new branch ${worktreeBranch}`,
  }),
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `You now work in the worktree ${output.worktreePath}, on its new branch ${output.worktreeBranch}. Commands and relative paths start in ${output.cwd}; use no absolute paths of ${output.originalCwd}. Uncommitted changes of ${output.originalCwd} are not here. ExitWorktree leads back.`,
  }),

  validateInput(_input, context) {
    const message = findProblem(context);
    return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
  },

  async call({ name = createShortId('worktree') }, context) {
    const { worktrees, projectRoot } = context.files;
    const problem = findProblem(context);
    if (problem !== undefined || worktrees === undefined)
      throw new ToolInputError('EnterWorktree', problem ?? NOT_HERE);
    context.call.abortController.signal.throwIfAborted();
    const { path, branch, cwd } = await worktrees.enter(name, projectRoot);
    return {
      data: { worktreePath: path, worktreeBranch: branch, cwd, originalCwd: projectRoot },
      contextModifier: (previous) => ({
        ...previous,
        files: { ...previous.files, ...enterFolder(previous.files, cwd) },
      }),
    };
  },
});

function findProblem({ files: { worktrees }, permissions }: ToolUseContext): string | undefined {
  if (worktrees === undefined) return NOT_HERE;
  const entered = worktrees.entered();
  if (entered !== undefined)
    return `EnterWorktree: you already work in the worktree ${entered.path}. Leave it with ExitWorktree first.`;
  if (permissions.current?.().mode === 'plan')
    return 'EnterWorktree: in plan mode no worktree is made. Present your plan with ExitPlanMode first.';
  return undefined;
}

const NOT_HERE =
  'EnterWorktree: only the main agent can do this. An agent that is started with isolation: "worktree" has its own worktree.';

const PROMPT = `Makes a git worktree with a new branch from the last commit, and moves you into it: later commands and relative paths start there. The files of the original folder stay as they are.

- Use it only if the user asks for a worktree, or for work that must not touch their working folder.
- Uncommitted changes are not in the worktree. Ignored files, such as installed dependencies, are not either.
- It fails outside a git repository, and while you are in a worktree that you entered.
- ExitWorktree leads back, and keeps or removes the worktree.`;
