import { describe, expect, it } from 'vitest';
import { parseInputLine } from '../../../src/cli/stream-input/input-line.js';

describe('parseInputLine', () => {
  it('reads what a client says', () => {
    const content = [{ type: 'text', text: 'hello' }];
    const user = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
    expect(parseInputLine(JSON.stringify({ ...user, session_id: '' }))).toEqual({
      type: 'user',
      content,
    });
    const request = { subtype: 'initialize', hooks: null };
    const asked = { type: 'control_request', request_id: 'r1', request };
    expect(parseInputLine(JSON.stringify(asked))).toEqual({
      type: 'control_request',
      requestId: 'r1',
      subtype: 'initialize',
      request,
    });
    const response = { subtype: 'success', request_id: 'ask_1', response: { behavior: 'allow' } };
    expect(parseInputLine(JSON.stringify({ type: 'control_response', response }))).toEqual({
      type: 'control_response',
      requestId: 'ask_1',
      answer: { ok: true, response: { behavior: 'allow' } },
    });
    const failed = { subtype: 'error', request_id: 'ask_1', error: 'no window' };
    expect(parseInputLine(JSON.stringify({ type: 'control_response', response: failed }))).toEqual({
      type: 'control_response',
      requestId: 'ask_1',
      answer: { ok: false, error: 'no window' },
    });
    expect(parseInputLine('{"type":"keep_alive"}')).toEqual({ type: 'keep_alive' });
    expect(parseInputLine('  ')).toBeUndefined();
  });

  it('takes a plain text as the content of a message', () => {
    const line = '{"type":"user","message":{"role":"user","content":"hello"}}';
    expect(parseInputLine(line)).toEqual({ type: 'user', content: 'hello' });
  });

  it.each([
    ['hello', 'this is not JSON: '],
    ['[]', 'each line must be a JSON object with a "type"'],
    ['{}', 'there is no type at all. Known: user, '],
    ['{"type":"zork"}', 'there is no type "zork". Known: user, '],
    [
      '{"type":"user","message":{"role":"user"}}',
      '"message.content" is required: it must be a text, or a list of text and image blocks',
    ],
    [
      '{"type":"user","message":{"role":"usr","content":"Go."}}',
      '"message.role" must be "user", not the string "usr". Did you mean "user"?',
    ],
    [
      '{"type":"user","message":{"role":"user","content":""}}',
      '"message.content": the text is blank',
    ],
    [
      '{"type":"user","message":{"role":"user","content":[{"type":"txt","text":"Go."}]}}',
      '"message.content.0.type" must be one of "text", "image", not the string "txt". Did you mean "text"?',
    ],
    [
      '{"type":"control_response","response":{"subtype":"success"}}',
      '"response.request_id" is required (a string)',
    ],
  ])('says what is wrong with %s', (line, beginning) => {
    const parsed = parseInputLine(line);
    const message = parsed?.type === 'bad' ? parsed.message : '';
    expect(message.slice(0, beginning.length)).toBe(beginning);
  });

  it('keeps the id of a request that cannot be read, so that it can be answered', () => {
    expect(parseInputLine('{"type":"control_request","request_id":"r1"}')).toEqual({
      type: 'bad',
      message: '"request" is required (an object)',
      requestId: 'r1',
    });
  });
});
