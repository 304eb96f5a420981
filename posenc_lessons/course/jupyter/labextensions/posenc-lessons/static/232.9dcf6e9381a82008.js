"use strict";(self.rspackChunkposenc_lessons=self.rspackChunkposenc_lessons||[]).push([[232],{475(e,o,n){var t=n(601),s=n.n(t),a=n(314),r=(n.n(a))()(s());r.push([e.id,`/* The lessons in JupyterLab: body[data-posenc-language] is the reader's choice. */
body[data-posenc-language="en"] .posenc-lesson [lang="zh"],
body[data-posenc-language="zh"] .posenc-lesson [lang="en"],
body:not([data-posenc-language="both"]) .posenc-lesson .posenc-dot,
.posenc-lesson .jp-Cell-outputWrapper:has(.jp-OutputArea-child.posenc-gone):not(:has([role="alert"])),
.posenc-lesson .posenc-gone:not(:has([role="alert"])) { display: none !important; }
.posenc-languages { display: flex; align-items: center; gap: 2px; margin: 0 6px; }
.posenc-languages button, .posenc-where {
  height: 24px; padding: 0 8px; border: 1px solid transparent; border-radius: 3px; background: none;
  color: var(--jp-ui-font-color1); font: var(--jp-ui-font-size1) var(--jp-ui-font-family);
  white-space: nowrap; cursor: pointer;
}
.posenc-languages button:hover, .posenc-where:hover { background: var(--jp-layout-color2); }
.posenc-where { align-self: center; margin: 0 6px; }
.posenc-languages button[aria-pressed="true"] { border-color: var(--jp-brand-color1); background: var(--jp-layout-color2); font-weight: 600; }
:is(.posenc-languages, .posenc-still) button:focus-visible, .posenc-where:focus-visible { outline: 2px solid var(--jp-brand-color1); }
.posenc-doors a:focus-visible { outline: 2px solid #1a1a1a; outline-offset: -4px; } /* the cards are light in the dark theme too */
.jp-OutputArea-child:has(> .posenc-still) { flex-wrap: wrap; }
.jp-OutputArea-child:has(> .posenc-still) > .jp-OutputArea-output { flex: 1 1 0; min-width: 0; } /* beside the prompt, not below it */
.posenc-still {
  order: -1; flex: 0 0 100%; box-sizing: border-box; margin: 4px 0; padding-left: calc(var(--jp-cell-prompt-width) + 8px);
  color: var(--jp-content-font-color1); font: 14px/1.5 var(--jp-content-font-family);
}
.posenc-gone + .posenc-still { flex: 1 1 0; order: 0; min-width: 0; padding-left: 8px; } /* on the row of the empty prompt */
.posenc-still img { display: block; max-width: 100%; height: auto; }
.posenc-still > div { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; }
.posenc-still:has(img) > div, :has(> .jp-RenderedImage) > .posenc-still > div { margin-inline: max(0px, (100% - var(--words)) / 2); }
.posenc-together { white-space: nowrap; }
.posenc-still button {
  height: 32px; padding: 0 14px; border: 0; border-radius: 16px; background: var(--posenc-accent); color: var(--jp-layout-color0);
  font: inherit; font-weight: 700; cursor: pointer;
}
.posenc-still button::before { content: "▶"; margin-right: 8px; font-size: 0.8em; }
.posenc-still button:disabled { cursor: progress; }
.posenc-still:has(img) img, .jp-OutputArea-child:has(> .posenc-still) > .jp-RenderedImage img { max-height: 44vh; width: auto; }
.posenc-still figcaption:empty { display: none; }
.jp-TableOfContents jp-tree-item { font-family: var(--jp-ui-font-family); } /* its own font has no Chinese */
jp-button { --body-font: var(--jp-ui-font-family); }
/* Words, accents and widths are those of the pictures and of the pages (export/page/style.css). */
.posenc-lesson {
  --door: #0b5f9c; --posenc-accent: color-mix(in srgb, var(--door) 85%, #000);
  --posenc-chinese: "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei";
  --jp-content-font-family: "Posenc Text", var(--posenc-chinese), "Posenc Sans SC for the page", system-ui, sans-serif;
  --words: 760px; --jp-content-font-size1: 17px; --jp-content-line-height: 1.55; --jp-content-link-color: var(--posenc-accent);
}
.posenc-lesson:is([data-lesson="02"], [data-lesson="03"]) { --door: #0069a6; }
.posenc-lesson:is([data-lesson="05"], [data-lesson="08"]) { --door: #bf4f00; }
.posenc-lesson:is([data-lesson="04"], [data-lesson="06"]) { --door: #00785a; }
body[data-jp-theme-light="false"] .posenc-lesson { --posenc-accent: color-mix(in srgb, var(--door) 45%, #fff); }
.posenc-lesson .jp-RenderedHTMLCommon :is(h1, h2, h3, h4, strong, b, th) {
  font-family: "Posenc Text", var(--posenc-chinese), "Posenc Bold SC", "Posenc Sans SC for the page", system-ui, sans-serif;
  font-weight: 700;
}
.posenc-lesson .jp-MarkdownOutput [lang] > :last-child { margin-bottom: 0.2em; }
.posenc-lesson .jp-RenderedHTMLCommon h1 { margin: 0.1em 0 0.3em; color: var(--posenc-accent); font-size: 1.9em; }
/* One axis: words, code and their output are a column of --words; pictures, explorers and formulas have the width of the window
   around the same axis. Lines of prose have at most 80 letters. */
.posenc-lesson .jp-WindowedPanel-viewport { left: max(0px, (100% - 1240px) / 2); right: max(0px, (100% - 1240px) / 2); }
.posenc-lesson .jp-MarkdownOutput:not(:has(> [lang])) > *, .posenc-lesson .jp-MarkdownOutput > :not([lang]), .posenc-lesson .jp-MarkdownOutput > [lang] > * {
  margin-inline: max(0px, (100% - var(--words)) / 2);
}
.posenc-lesson .jp-MarkdownOutput :is(p, ul, ol, blockquote, summary) { max-width: 38em; }
.posenc-lesson .jp-MarkdownOutput p:has(> mjx-container[display="true"]) { max-width: none; margin-inline: 0; }
.posenc-lesson .jp-CodeCell > .jp-Cell-inputWrapper:not(:has(> .jp-InputPlaceholder)),
.posenc-lesson .jp-CodeCell:not(:has(.jp-RenderedImage, .posenc-explorer, .posenc-still img)) > *,
.posenc-lesson .jp-CodeCell > .jp-Cell-outputWrapper:not(:has(.jp-RenderedImage, .posenc-explorer, .posenc-still img)) {
  max-width: 1040px; margin-inline-start: max(0px, (100% - var(--words) - var(--jp-cell-prompt-width) - 8px) / 2);
}
.posenc-lesson .jp-RenderedImage { display: grid; justify-items: center; }
.posenc-lesson .posenc-check .rows code { padding: 0; background: none; }
.posenc-way { margin: 0 0 8px; padding: 2px 0; border: 0; background: none; color: var(--jp-content-link-color); font: inherit; font-weight: 400; cursor: pointer; }
.posenc-guess:not(:has(:checked)) > .posenc-way { display: none; }
/* Both languages stand side by side, as in a book with a translation, where there is room for two columns. */
@media (min-width: 1200px) {
  body[data-posenc-language="both"] .posenc-lesson .jp-MarkdownOutput:has(> [lang]) {
    display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 36px; font-size: 16px;
    > :not([lang]) { grid-column: 1 / -1; margin-inline: 0; }
    > [lang="zh"] { grid-column: 1; }
    > [lang="en"] { grid-column: 2; }
    > [lang] { overflow-x: auto; }
    > [lang] > :first-child { margin-top: 0; }
  }
}
.posenc-lesson :is(.posenc-guess, .posenc-settled) { max-width: 42em !important; }
.posenc-lesson .jp-RenderedHTMLCommon table { margin-left: 0; font-size: 15px; } /* at the edge of the text */
.posenc-lesson .jp-RenderedHTMLCommon pre { margin: 0.4em 0; font-size: 14px; }
.posenc-lesson .jp-RenderedHTMLCommon td, .posenc-lesson .jp-RenderedHTMLCommon th { text-align: left; padding: 0.35em 1.2em 0.35em 0.5em; }
body[data-jp-theme-light="false"] .posenc-lesson :is(.jp-RenderedImage, .posenc-still) img { border-radius: 8px; filter: brightness(0.88); } /* white paper, because the words tell of dark colours */
/* Calm cells: no frame around words, tools where the pointer is, and folded code as a mark beside its output. */
.posenc-lesson .jp-mod-active .jp-MarkdownOutput { border-color: transparent; }
.posenc-lesson.jp-mod-commandMode .jp-MarkdownCell.jp-mod-active:focus-visible { box-shadow: none; } /* the bar at the left shows it */
.posenc-lesson .jp-Cell:not(:hover) .jp-cell-toolbar:not(:focus-within) { opacity: 0; }
.posenc-lesson .jp-CodeCell:has(.jp-InputPlaceholder) .jp-OutputPrompt { visibility: hidden; }
.posenc-lesson .jp-Cell-inputWrapper:has(> .jp-InputPlaceholder) { position: relative; height: 12px; margin-bottom: -12px; }
.posenc-lesson .jp-CodeCell:not(:has(.jp-OutputArea-child:not(.posenc-gone))) { padding-block: 0; } /* its mark is beside the words above */
.posenc-lesson .jp-CodeCell:not(:has(.jp-OutputArea-child:not(.posenc-gone))) .jp-Cell-inputWrapper:has(> .jp-InputPlaceholder) { height: 0; margin: 0; }
.posenc-lesson .jp-CodeCell:not(:has(.jp-OutputArea-child:not(.posenc-gone))) .jp-InputPlaceholder { bottom: 0; }
.posenc-lesson .jp-InputPlaceholder { position: absolute; z-index: 1; width: var(--jp-cell-prompt-width); }
.posenc-lesson .jp-InputPlaceholder > .jp-Placeholder-prompt, .posenc-lesson .jp-InputPlaceholder .jp-Placeholder-contentContainer { display: none; }
.posenc-lesson .jp-InputPlaceholder > .jp-Placeholder-content {
  flex: none; width: calc(var(--jp-cell-prompt-width) - 8px); padding: 2px; border: 0; background: none;
  color: var(--jp-ui-font-color2); font: 12px/1.6 var(--jp-code-font-family); text-align: right; opacity: 0.6;
}
.posenc-lesson .jp-InputPlaceholder > .jp-Placeholder-content::after { content: "</>"; }
.posenc-lesson .jp-Cell:is(:hover, .jp-mod-active) .jp-InputPlaceholder > .jp-Placeholder-content { opacity: 1; }
/* A thin line at the upper edge: how far the lesson is read. */
@supports (animation-timeline: scroll()) {
  .posenc-lesson { timeline-scope: --posenc-read; }
  .posenc-lesson .jp-WindowedPanel-outer { scroll-timeline: --posenc-read; }
  .posenc-lesson::after {
    content: ""; position: absolute; z-index: 2; inset: 0 0 auto; height: 3px; background: var(--posenc-accent);
    transform-origin: left; animation: posenc-read linear both; animation-timeline: --posenc-read;
  }
  @keyframes posenc-read { from { transform: scaleX(0); } }
}
/* The folders with questions and solutions stand below the lessons. JupyterLab has no setting for this. */
.jp-DirListing-content:has(> [title*="00_start_here.ipynb"]) {
  display: flex; flex-direction: column;
  > [data-isdir="true"] { order: 1; }
}
.jp-DirListing-itemText[data-posenc-title] { white-space: normal; }
.jp-DirListing-itemText[data-posenc-title] > span { display: none; }
.jp-DirListing-itemText[data-posenc-title]::after { content: attr(data-posenc-title); }
/* Words that JupyterLab does not have in Chinese. */
body[data-posenc-language="zh"] .jp-StatusBar-Item:has(> [title="Go to cell…"]) { display: none; }
body[data-posenc-language="zh"] .jp-showHiddenCellsButton > div { font-size: 0; }
body[data-posenc-language="zh"] .jp-showHiddenCellsButton > div::after { content: "展开这一节"; font-size: var(--jp-ui-font-size1); }
`,""]),n.d(o,{},{A:r})},314(e){e.exports=function(e){var o=[];return o.toString=function(){return this.map(function(o){var n="",t=void 0!==o[5];return o[4]&&(n+="@supports (".concat(o[4],") {")),o[2]&&(n+="@media ".concat(o[2]," {")),t&&(n+="@layer".concat(o[5].length>0?" ".concat(o[5]):""," {")),n+=e(o),t&&(n+="}"),o[2]&&(n+="}"),o[4]&&(n+="}"),n}).join("")},o.i=function(e,n,t,s,a){"string"==typeof e&&(e=[[null,e,void 0]]);var r={};if(t)for(var p=0;p<this.length;p++){var i=this[p][0];null!=i&&(r[i]=!0)}for(var l=0;l<e.length;l++){var c=[].concat(e[l]);t&&r[c[0]]||(void 0!==a&&(void 0===c[5]||(c[1]="@layer".concat(c[5].length>0?" ".concat(c[5]):""," {").concat(c[1],"}")),c[5]=a),n&&(c[2]&&(c[1]="@media ".concat(c[2]," {").concat(c[1],"}")),c[2]=n),s&&(c[4]?(c[1]="@supports (".concat(c[4],") {").concat(c[1],"}"),c[4]=s):c[4]="".concat(s)),o.push(c))}},o}},601(e){e.exports=function(e){return e[1]}},72(e){var o=[];function n(e){for(var n=-1,t=0;t<o.length;t++)if(o[t].identifier===e){n=t;break}return n}function t(e,t){for(var s={},a=[],r=0;r<e.length;r++){var p=e[r],i=t.base?p[0]+t.base:p[0],l=s[i]||0,c="".concat(i," ").concat(l);s[i]=l+1;var d=n(c),u={css:p[1],media:p[2],sourceMap:p[3],supports:p[4],layer:p[5]};if(-1!==d)o[d].references++,o[d].updater(u);else{var h=function(e,o){var n=o.domAPI(o);return n.update(e),function(o){o?(o.css!==e.css||o.media!==e.media||o.sourceMap!==e.sourceMap||o.supports!==e.supports||o.layer!==e.layer)&&n.update(e=o):n.remove()}}(u,t);t.byIndex=r,o.splice(r,0,{identifier:c,updater:h,references:1})}a.push(c)}return a}e.exports=function(e,s){var a=t(e=e||[],s=s||{});return function(e){e=e||[];for(var r=0;r<a.length;r++){var p=n(a[r]);o[p].references--}for(var i=t(e,s),l=0;l<a.length;l++){var c=n(a[l]);0===o[c].references&&(o[c].updater(),o.splice(c,1))}a=i}}},659(e){var o={};e.exports=function(e,n){var t=function(e){if(void 0===o[e]){var n=document.querySelector(e);if(window.HTMLIFrameElement&&n instanceof window.HTMLIFrameElement)try{n=n.contentDocument.head}catch(e){n=null}o[e]=n}return o[e]}(e);if(!t)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");t.appendChild(n)}},540(e){e.exports=function(e){var o=document.createElement("style");return e.setAttributes(o,e.attributes),e.insert(o,e.options),o}},56(e,o,n){e.exports=function(e){var o=n.nc;o&&e.setAttribute("nonce",o)}},825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var o=e.insertStyleElement(e);return{update:function(n){var t,s,a;t="",n.supports&&(t+="@supports (".concat(n.supports,") {")),n.media&&(t+="@media ".concat(n.media," {")),(s=void 0!==n.layer)&&(t+="@layer".concat(n.layer.length>0?" ".concat(n.layer):""," {")),t+=n.css,s&&(t+="}"),n.media&&(t+="}"),n.supports&&(t+="}"),(a=n.sourceMap)&&"u">typeof btoa&&(t+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(t,o,e.options)},remove:function(){var e;null===(e=o).parentNode||e.parentNode.removeChild(e)}}}},113(e){e.exports=function(e,o){if(o.styleSheet)o.styleSheet.cssText=e;else{for(;o.firstChild;)o.removeChild(o.firstChild);o.appendChild(document.createTextNode(e))}}},579(e,o,n){var t=n(72),s=n.n(t),a=n(825),r=n.n(a),p=n(659),i=n.n(p),l=n(56),c=n.n(l),d=n(540),u=n.n(d),h=n(113),m=n.n(h),g=n(475),f={};f.styleTagTransform=m(),f.setAttributes=c(),f.insert=i().bind(null,"head"),f.domAPI=r(),f.insertStyleElement=u(),s()(g.A,f),g.A&&g.A.locals&&g.A.locals}}]);