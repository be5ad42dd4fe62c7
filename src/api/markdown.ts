/** Reading Markdown, for front ends; loaded late, with its reader. */
export { readMarkdown } from '../view/read-markdown.js';
