import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, requestsOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { answered, CLIENT, control } from './support/stream-client.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];

function promptOf(request: FakeRequest | undefined): string {
  const system = request?.body['system'] as readonly { readonly text: string }[]; // as it is always sent
  return system[0]?.text ?? '';
}

/** The first part of the system prompt of a run with these settings of the user. */
async function run(place: Place, settings: object) {
  await place.write({ '../home/.claude/settings.json': JSON.stringify(settings) });
  const api = await place.api({
    handler: answer({
      go: [{ tools: [agent('below')] }, { text: 'Done.' }],
      below: [{ text: 'Done.' }],
    }),
  });
  const { stderr, lines } = await place.call(['-p', 'go', ...STREAM], { api });
  const [own, below] = ['go', 'below'].map((prompt) => promptOf(requestsOf(api, prompt)[0]));
  const [whole] = requestsOf(api, 'below').map(({ body }) =>
    (body['system'] as readonly { text: string }[]).map(({ text }) => text).join('\n\n'),
  );
  return { own, below, whole, stderr, style: lines[0]?.['output_style'] };
}

describe.concurrent('output styles', () => {
  it('are files of the project and of the user, and change how the main agent answers', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const style = (fields: string, text: string) => `---\n${fields}\n---\n${text}\n`;
    await place.write({
      '.claude/output-styles/poet.md': style('name: Poet\ndescription: x', 'Answer in verse.'),
      '../home/.claude/output-styles/Poet.md': 'Of the user.',
      '../home/.claude/output-styles/terse.md': style('keep-coding-instructions: true', 'Terse.'),
    });
    const poet = await run(place, { outputStyle: 'poet' });
    expect(poet).toMatchObject({ stderr: '', style: 'Poet' });
    expect(poet.own).toBe(
      "You are Troupe, an agent that works in the user's own folder with real tools.\n\nAnswer in verse.",
    );
    expect(poet.below).not.toContain('verse');
    const terse = await run(place, { outputStyle: 'Terse' });
    expect(terse.own).toMatch(/^You are Troupe, an agent that works on software [^]*\n\nTerse\.$/);
  });

  it('are built in, too; an unknown one is reported, and the default stays', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const learning = await run(place, { outputStyle: 'Learning' });
    expect(learning.style).toBe('Learning');
    expect(learning.own).toMatch(
      /^You are Troupe, an agent that works on software [^]*TODO\(human\)/,
    );
    const none = await run(place, { outputStyle: 'Explanatry' });
    expect([none.style, none.stderr]).toEqual([
      'default',
      'troupe: There is no output style "Explanatry". Did you mean Explanatory?\n',
    ]);
  });

  it('stay beside the language of the answers', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const attribution = { commit: 'Refs: #1', pr: '' };
    const { own, below, whole } = await run(place, {
      language: 'german',
      outputStyle: 'default',
      attribution,
    });
    expect(whole).toMatch(/\n\nEnd every commit message with these lines:\nRefs: #1\n/);
    expect(own).toMatch(/\n\nAnswer the user in this language: german\. [^\n]*$/);
    expect(below).not.toContain('german');
  });

  it('are read again if a client asks for it', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const troupe = place.start([...CLIENT], {
      api: await place.api({ handler: answer({}) }),
      input: 'open',
    });
    const stylesAfter = async (id: string, subtype: string): Promise<unknown> => {
      troupe.send(control(id, { subtype }));
      return (await answered(troupe, id))['response'];
    };
    await stylesAfter('req_1', 'initialize');
    await place.write({ '.claude/output-styles/poet.md': 'Answer in verse.' });
    const response = await stylesAfter('req_2', 'reload_output_styles');
    troupe.endInput();
    await troupe.ended;
    const styles = ['default', 'Proactive', 'Concise', 'Explanatory', 'Learning', 'poet'];
    expect(response).toMatchObject({ response: { available_output_styles: styles } });
  });
});
