import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { TypedMessage } from '../capabilities/typed-message.js';

export const SendMessageInput = z.object({
  to: z
    .string()
    .refine((text) => text.trim() !== '', 'the recipient is empty')
    .refine((text) => !text.includes('\0'), 'a recipient cannot contain a NUL character')
    .describe(
      'The recipient: a name, an agent ID or a task ID, "parent", "lead", or "*" for everybody in your team',
    ),
  message: z
    .union([z.string().refine((text) => text.trim() !== '', 'the message is empty'), TypedMessage])
    .describe('The whole text; the recipient sees nothing else of this conversation'),
  summary: z.string().optional().describe('A summary in 5 to 10 words'),
});
export type SendMessageInput = z.infer<typeof SendMessageInput>;

export const SendMessageOutput = z.lazy(() =>
  z.object({
    /** The recipient as addressed. */
    to: z.string(),
    /** The agent whose mailbox has the message. */
    recipient: z.string(),
    /** All recipients, if there are several. */
    recipients: z.array(z.string()).readonly().optional(),
    summary: z.string().optional(),
  }),
);
export type SendMessageOutput = Readonly<z.infer<typeof SendMessageOutput>>;

/** Resolves when the message is on disk. Rejects with an UnknownRecipientError if no agent would read it. */
export const SendMessageTool = completeTool<typeof SendMessageInput, SendMessageOutput>({
  name: 'SendMessage',
  shouldDefer: true,
  searchHint: 'tell or continue a running agent, teammate, worker',
  inputSchema: SendMessageInput,
  outputSchema: SendMessageOutput,
  permissionTarget: ({ to }) => ({ kind: 'name', name: to }),
  toAutoClassifierInput: ({ to, message }) =>
    `to ${to}: ${typeof message === 'string' ? message : JSON.stringify(message)}`,
  checkPermissions: () => allowCoordination('sends a message within the session'),
  description: ({ to, message, summary }) => {
    const about = summary ?? (typeof message === 'string' ? undefined : message.type);
    return `Message to ${to}${about === undefined ? '' : `: ${about}`}`;
  },
  prompt: () => PROMPT,
  present: ({ recipient, recipients = [recipient] }) => ({
    kind: 'summary',
    text: `to ${recipients.join(', ')}`,
  }),
  mapToolResultToToolResultBlockParam: ({ recipient, recipients = [recipient] }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content:
      recipients.length === 1
        ? `The message is in the mailbox of ${recipient}. It is delivered at its next tool boundary.`
        : `The message is in the mailboxes of ${recipients.join(', ')}. It is delivered at the next tool boundary of each.`,
  }),

  async call({ to, message, summary }, context) {
    const tasks = requireTasks('SendMessage', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    const recipients = await tasks.send(to, message, summary);
    const [recipient] = recipients;
    return {
      data: {
        to,
        recipient,
        ...(recipients.length > 1 && { recipients }),
        ...(summary !== undefined && { summary }),
      },
    };
  },
});

const PROMPT = `Sends a message to another agent of this session: one that you started, one whose name you know, the one that started you ("parent"), the lead of your team ("lead"), or everybody in your team except you ("*").

- The recipient reads it at its next tool boundary, or at once if it is idle. Messages of one sender arrive in the order in which they were sent.
- If the recipient is unknown or has ended, the call fails and nothing is sent. If the recipient ends before it has read the message, you get a notification.
- An answer arrives as a message to you. Do not wait for it.
- The message {"type": "shutdown_request"} asks one of your teammates to end; it answers with shutdown_response. Answer the plan of a teammate with plan_approval_response, which gives it no permission.`;
