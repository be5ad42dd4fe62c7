import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { FakeMessagesApiOptions } from '../../src/testing/fake-messages-api.js';
import { sit } from './support/sit.js';

const STATUS = '  mode default · claude-sonnet-5-5';
const CTRL_V = '\u0016';
const ESCAPE = '\u001b';
const pasted = (text: string): string => `${ESCAPE}[200~${text}${ESCAPE}[201~`;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
};
const text = (words: string) => ({ type: 'text', text: words });

/** A session at a screen, the contents of its prompts, and a folder with an image and with programs that stand for the clipboard. */
async function sitWithImages(onTestFinished: TestContext['onTestFinished'], clipboard = '') {
  const folder = await mkdtemp(join(tmpdir(), 'images '));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  await writeFile(at('a plan.png'), PNG);
  await writeFile(at('no image.png'), 'words');
  await writeFile(at('wl-paste'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await writeFile(at('xclip'), `#!/bin/sh\n${clipboard || 'exit 1'}\n`, { mode: 0o755 });
  const prompts: unknown[] = [];
  const api: FakeMessagesApiOptions = {
    handler({ body }) {
      prompts.push(body.messages.at(-1)?.content);
      return { text: `Seen ${prompts.length}.` };
    },
  };
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const { screen } = await sit(api, onTestFinished, { env });
  await screen.waitFor(STATUS);
  /** The prompts without the marks of the cache. */
  const sent = (): unknown =>
    JSON.parse(
      JSON.stringify(prompts, (key, value) => (key === 'cache_control' ? undefined : value)),
    );
  return { screen, at, sent };
}

describe.concurrent('an image in the prompt', () => {
  it('is a pasted path of an image, quoted, with backslashes or as an address, and goes to the model', async ({
    onTestFinished,
  }) => {
    const { screen, at, sent } = await sitWithImages(onTestFinished);
    screen.type('Compare ');
    screen.type(pasted(`'${at('a plan.png')}'`));
    screen.type('with ');
    screen.type(pasted(at('a plan.png').replaceAll(' ', '\\ ')));
    screen.type('and ');
    screen.type(pasted(`file://${at('a%20plan.png').replaceAll(' ', '%20')}`));
    const line =
      'Compare [image 1: a plan.png] with [image 2: a plan.png] and [image 3: a plan.png]';
    await screen.waitFor((all) => all.replaceAll(/\n */g, '').includes(line));
    screen.type('\r');
    await screen.waitFor('Seen 1.');
    expect(sent()).toEqual([[text(`${line} `), image, image, image]]);
  });

  it('is the image of the clipboard at Ctrl-V and at an empty paste, and one whose name is deleted stays behind', async ({
    onTestFinished,
  }) => {
    const { screen, sent } = await sitWithImages(
      onTestFinished,
      `[ "$*" = '-selection clipboard -t image/png -o' ] && cat "\${0%xclip}a plan.png"`,
    );
    screen.type(`${CTRL_V}\u0015`); // Ctrl-U cuts the line
    screen.type(`What is ${pasted('')}?`);
    await screen.waitFor('> What is [image 2: clipboard] ?');
    screen.type('\r');
    await screen.waitFor('Seen 1.');
    expect(sent()).toEqual([[text('What is [image 2: clipboard] ?'), image]]);
  });

  it('is not there if the clipboard has none: the text stays', async ({ onTestFinished }) => {
    const { screen } = await sitWithImages(onTestFinished);
    screen.type(`Look: ${CTRL_V}`);
    await screen.waitFor('The clipboard has no image.');
    expect(screen.text()).toContain('\n> Look:\n');
  });

  it('is only a path if the file is no image or not there, and behind a command', async ({
    onTestFinished,
  }) => {
    const { screen, at, sent } = await sitWithImages(onTestFinished);
    screen.type(pasted(at('no image.png')));
    await screen.waitFor('no image.png is no PNG, JPEG, GIF or WebP image.');
    screen.type(` ${pasted('not-there.png')}\r`);
    await screen.waitFor('Seen 1.');
    expect(sent()).toEqual([[text(`${at('no image.png')} not-there.png`)]]);
    screen.type(`!echo ${pasted(`'${at('a plan.png')}'`)}\r`);
    await screen.waitFor(`  ${at('a plan.png')}`);
  });

  it('is in the prompt again after going back to before it', async ({ onTestFinished }) => {
    const { screen, at, sent } = await sitWithImages(onTestFinished);
    screen.type(`See ${pasted(at('a plan.png'))}\r`);
    await screen.waitFor((all) => all.includes('Seen 1.') && !all.includes('Esc interrupts'));
    screen.type('/rewind 1\r');
    await screen.waitFor((all) => all.includes('\n> See [image 1: a plan.png]\n  mode'));
    screen.type('now\r');
    await screen.waitFor('Seen 2.');
    expect(sent()).toEqual([
      [text('See [image 1: a plan.png] '), image],
      [text('See [image 1: a plan.png] now'), image],
    ]);
  });
});
