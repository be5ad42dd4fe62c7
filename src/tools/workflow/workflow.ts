import { z } from 'zod';
import { WorkflowDefinition } from '../../workflow/workflow-definition.js';
import { given } from '../../core/json/given.js';
import { buildTool } from '../build-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTasks } from '../tasks/require-tasks.js';

export const WorkflowInput = z.object({
  description: z.string().min(1).describe('What it does, in 3 to 5 words'),
  ...WorkflowDefinition.shape,
  inputs: z
    .record(z.string(), z.string())
    .optional()
    .describe('Texts that tasks read as ${{ inputs.NAME }}'),
});

/**
 * Starts tasks in their order, in the background: a notification follows when all have ended. Rejects with everything
 * that is wrong where they cannot be used.
 */
export const WorkflowTool = buildTool({
  name: 'Workflow',
  searchHint: 'run agents and commands in a fixed order, side by side, with retries',
  inputSchema: WorkflowInput,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('starts tasks that are judged for themselves'),
  toAutoClassifierInput: (input) => JSON.stringify(input),
  description: ({ description }) => description,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: ({ task_id }: { task_id: string }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `The workflow runs in the background as ${task_id}. A notification with what its tasks have put out follows when it ends; TaskStop ends it.`,
  }),

  async call({ description, tasks: steps, finish, inputs = {} }, context) {
    const tasks = requireTasks('Workflow', context);
    context.abortController.signal.throwIfAborted();
    const { id } = await tasks.spawn({
      kind: 'local_workflow',
      definition: { tasks: steps, ...given({ finish }) },
      inputs,
      description,
      isBackgrounded: true,
      toolUseId: context.toolUseId,
    });
    return { data: { task_id: id } };
  },
});

const PROMPT = `Runs several tasks in a fixed order, in the background: agents, tools and commands, side by side where they need nothing of each other.

- Each entry of tasks has an agent with a prompt, a tool with its input, or a command.
- \${{ tasks.NAME.output }} in a prompt, an input or a command is what another task has put out, \${{ tasks.NAME.json.path }} a part of it where it is JSON; that task then runs first. needs names others that have to run first.
- In a command a value is one quoted word, so that there are no quotes, $ or # beside it: write such a command as a list of words.
- when leaves a task out where it does not hold: tasks.test.status == 'failed'. foreach runs it for each entry of a list, as \${{ item }}. retry and timeout ("90s") are for one try.
- A task whose need failed or was left out is skipped. Each use is judged as if you had made it.`;
