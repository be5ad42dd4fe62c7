// A code reviewer, written for @anthropic-ai/claude-agent-sdk. Of the program only the import of `query` is another one
// here. It runs offline: without the two lines with `offline`, and with an ANTHROPIC_API_KEY, it asks the real thing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from 'troupe'; // was: from '@anthropic-ai/claude-agent-sdk'
import { startReviewer } from './offline/reviewer.mjs';

const offline = await startReviewer();
const { cwd } = offline;

const asked = [];
const subAgents = new Set();
let sessionId;
let result;

for await (const message of query({
  prompt: 'Review this repository and write what you find to REVIEW.md.',
  options: {
    cwd,
    model: 'claude-sonnet-5-5',
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Report findings only.' },
    settingSources: [],
    allowedTools: ['Read', 'Grep', 'Glob', 'Task'],
    maxTurns: 10,
    agents: {
      'bug-finder': {
        description: 'Finds bugs in one file. Use it for each file that is reviewed.',
        prompt: 'You look for bugs. Name file and line, and nothing else.',
        tools: ['Read', 'Grep', 'Glob'],
        model: 'haiku',
      },
    },
    canUseTool: async (toolName, input, { signal, suggestions, toolUseID }) => {
      asked.push({ toolName, suggestions, toolUseID, isOpen: !signal.aborted });
      if (toolName === 'Write' && input.file_path === join(cwd, 'REVIEW.md'))
        return { behavior: 'allow', updatedInput: input };
      return { behavior: 'deny', message: 'Reviewers only write REVIEW.md.' };
    },
  },
})) {
  switch (message.type) {
    case 'system':
      if (message.subtype === 'init') {
        sessionId = message.session_id;
        console.log(`session with ${message.model}, agents: ${message.agents.join(', ')}`);
      }
      break;
    case 'assistant':
      if (message.parent_tool_use_id !== null) subAgents.add(message.parent_tool_use_id);
      for (const block of message.message.content) {
        const who = message.parent_tool_use_id === null ? 'reviewer' : '  bug-finder';
        if (block.type === 'text') console.log(`${who}: ${block.text}`);
        if (block.type === 'tool_use') console.log(`${who} uses ${block.name}`);
      }
      break;
    case 'result':
      result = message;
      break;
  }
}
console.log(`${result.subtype} after ${result.num_turns} turns, ${result.total_cost_usd} USD`);

assert.equal(result.subtype, 'success');
assert.equal(result.session_id, sessionId);
assert.equal(result.result, 'One finding, see REVIEW.md. It is not pushed.');
assert.equal(subAgents.size, 1);
assert.deepEqual(
  asked.map(({ toolName, isOpen }) => [toolName, isOpen]),
  [
    ['Write', true],
    ['Bash', true],
  ],
);
assert.deepEqual(
  result.permission_denials.map(({ tool_name, tool_use_id }) => [tool_name, tool_use_id]),
  [['Bash', asked[1].toolUseID]],
);
assert.ok(result.total_cost_usd > 0);
assert.equal(Object.keys(result.modelUsage).length, 2);
assert.match(
  readFileSync(join(cwd, 'REVIEW.md'), 'utf8'),
  /src\/split\.js gives a cent too many: .*index <= rest/,
);
await offline.close();
