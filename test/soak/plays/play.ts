import type { Book } from '../book.js';
import type { Player } from '../player.js';

/** Some calls that belong together, with the answers that must come; what it does to money stands in the book. */
export type Play = (player: Player, book: Book) => Promise<void>;
