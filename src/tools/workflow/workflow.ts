import { z } from 'zod';
import { WorkflowDefinition } from '../../workflow/workflow-definition.js';
import { given } from '../../core/json/given.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTasks } from '../tasks/require-tasks.js';

export const WorkflowInput = z.object({
  description: z.string().min(1).describe('A description in 3 to 5 words'),
  ...WorkflowDefinition.shape,
  inputs: z
    .record(z.string(), z.string())
    .optional()
    .describe('Texts that tasks read as ${{ inputs.NAME }}'),
});

export const WorkflowOutput = z.lazy(() => z.object({ task_id: z.string() }));
type WorkflowOutput = z.infer<typeof WorkflowOutput>;

/**
 * Starts the tasks of a workflow in the background. A notification follows when all have ended. Rejects with every
 * problem of an invalid workflow.
 */
export const WorkflowTool = completeTool({
  name: 'Workflow',
  shouldDefer: true,
  searchHint: 'run agents and commands in a fixed order, in parallel, with retries',
  inputSchema: WorkflowInput,
  outputSchema: WorkflowOutput,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('starts tasks with their own permission checks'),
  toAutoClassifierInput: (input) => JSON.stringify(input),
  description: ({ description }) => description,
  prompt: () => PROMPT,
  present: ({ task_id }) => ({ kind: 'summary', text: `runs in the background as ${task_id}` }),
  mapToolResultToToolResultBlockParam: ({ task_id }: WorkflowOutput, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `The workflow runs in the background as ${task_id}. A notification with the outputs of its tasks follows when it ends; TaskStop ends it.`,
  }),

  async call({ description, tasks: steps, finish, inputs = {} }, context) {
    const tasks = requireTasks('Workflow', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    const { id } = await tasks.spawn({
      kind: 'local_workflow',
      definition: { tasks: steps, ...given({ finish }) },
      inputs,
      description,
      isBackgrounded: true,
      toolUseId: context.call.toolUseId,
    });
    return { data: { task_id: id } };
  },
});

const PROMPT = `Runs several tasks in a fixed order, in the background: agents, tools and commands, in parallel if they are independent.

- Each entry of tasks has an agent with a prompt, a tool with its input, or a command.
- \${{ tasks.NAME.output }} in a prompt, an input or a command is the output of another task, \${{ tasks.NAME.json.path }} a part of it if it is JSON; that task then runs first. needs names further tasks that must run first.
- In a command a value is one quoted word, so the rest of the command may have no quotes, $ or #: otherwise write the command as a list of words.
- when skips a task if the condition does not hold: tasks.test.status == 'failed'. foreach runs a task for each entry of a list, as \${{ item }}. retry and timeout ("90s") apply to one attempt.
- A task is skipped if one that it needs failed or was skipped. Each tool call is decided as if you had made it.`;
