import { Payfurl } from './payfurl/page-payments.js';

/** The stand-in for the service's script for pages. A checkout that was written for the service loads this one instead. */

declare global {
  interface Window {
    /** The `define` of an AMD loader, if the page has one. */
    define?: ((factory: () => Payfurl) => void) & { readonly amd?: object };
  }
}

const payfurl = new Payfurl();
window.payfurl = payfurl;
if (window.define?.amd) window.define(() => payfurl);
