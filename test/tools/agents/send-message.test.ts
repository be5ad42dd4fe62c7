import { describe, expect, it } from 'vitest';
import { SendMessageTool } from '../../../src/tools/agents/send-message.js';
import { AGENT_ID, createTaskWorld } from '../tasks/task-world.js';
import { runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

/** A world with one agent, called helper, and SendMessage called in it. */
function createSender() {
  const { tasks, mail } = createTaskWorld();
  const send = (input: object) =>
    runText(SendMessageTool, input, createContext('/w', { tasks: { control: tasks } }));
  return { mail, send };
}

describe('SendMessage', () => {
  it.each(['helper', AGENT_ID])('sends to %s and names whose inbox it is in', async (to) => {
    const { mail, send } = createSender();
    expect(await send({ to, message: ' Continue.\n', summary: 'continue' })).toBe(
      `The message is in the mailbox of ${AGENT_ID}. It is delivered at its next tool boundary.`,
    );
    expect(mail).toEqual([{ to, text: ' Continue.\n', summary: 'continue' }]);
  });

  it('sends what asks for something definite as it is', async () => {
    const { mail, send } = createSender();
    const message = { type: 'shutdown_request', reason: 'All is done.' };
    await send({ to: 'helper', message });
    expect(mail).toEqual([{ to: 'helper', text: message }]);
  });

  it.each(['nobody', '__proto__', 'constructor'])('passes on that %s is unknown', async (to) => {
    const { mail, send } = createSender();
    await expect(send({ to, message: 'Hello' })).rejects.toMatchObject({
      code: 'UNKNOWN_RECIPIENT',
      message: `The message was not sent: nobody is called ${to}. There is: helper.`,
    });
    expect(mail).toEqual([]);
  });

  it.each([
    [{ to: 'helper', message: ' \n' }, 'SendMessage: message: the message is empty'],
    [{ to: ' ', message: 'x' }, 'SendMessage: to: the recipient is empty'],
    [{ to: 'a\0', message: 'x' }, 'SendMessage: to: a recipient cannot contain a NUL character'],
    [{ to: 'helper' }, 'SendMessage: message is required. The input has: to'],
    [
      { to: 'helper', message: {} },
      'message.type is required (one of "shutdown_request", "shutdown_response", "plan_approval_response")',
    ],
    [
      { to: 'helper', message: { type: 'shutdown' } },
      'message.type must be one of "shutdown_request", "shutdown_response", "plan_approval_response", not the string "shutdown"',
    ],
    [{ to: 'helper', message: 7 }, 'message must be a string or an object, not the number 7'],
    [
      { to: 'helper', message: { type: 'shutdown_response', approve: true } },
      'SendMessage: message.request_id is required (a string)',
    ],
  ])('refuses %j', async (input, message) => {
    const { mail, send } = createSender();
    await expect(send(input)).rejects.toThrow(message);
    expect(mail).toEqual([]);
  });

  it('keeps the order of one sender: calls never run beside each other', () => {
    const input = { to: 'helper', message: 'x' };
    expect(SendMessageTool.isConcurrencySafe(input)).toBe(false);
  });
});
