"use strict";(self.rspackChunkposenc_lessons=self.rspackChunkposenc_lessons||[]).push([[232],{475(e,t,o){var n=o(601),r=o.n(n),a=o(314),s=(o.n(a))()(r());s.push([e.id,`/* The lessons in JupyterLab: body[data-posenc-language] is the reader's choice. */
body[data-posenc-language="en"] .posenc-lesson [lang="zh"],
body[data-posenc-language="zh"] .posenc-lesson [lang="en"],
body:not([data-posenc-language="both"]) .posenc-lesson .posenc-dot,
.posenc-lesson .jp-Cell-outputWrapper:has(.jp-OutputArea-child.posenc-gone):not(:has([role="alert"])),
.posenc-lesson .posenc-gone:not(:has([role="alert"])) {
  display: none !important;
}
.posenc-languages { display: flex; align-items: center; gap: 2px; margin: 0 6px; }
.posenc-languages button, .posenc-still button {
  height: 24px; padding: 0 8px; border: 1px solid transparent; border-radius: 3px; background: none;
  color: var(--jp-ui-font-color1); font: var(--jp-ui-font-size1) var(--jp-ui-font-family);
  white-space: nowrap; cursor: pointer;
}
.posenc-languages button:hover {
  background: var(--jp-layout-color2);
}
.posenc-languages button[aria-pressed="true"] {
  border-color: var(--jp-brand-color1); background: var(--jp-layout-color2); font-weight: 600;
}
.posenc-languages button:focus-visible,
.posenc-still button:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
}
.posenc-doors a:focus-visible {
  outline: 2px solid #1a1a1a; /* the cards are light in the dark theme too */
  outline-offset: -4px;
}
.jp-OutputArea-child:has(> .posenc-still) { flex-wrap: wrap; }
.jp-OutputArea-child:has(> .posenc-still) > .jp-OutputArea-output { /* beside the prompt, not below it */
  flex: 1 1 0;
  min-width: 0;
}
.posenc-still {
  order: -1; /* above the still, because a picture may fill the screen */
  flex: 0 0 calc(100% - var(--jp-cell-prompt-width) - 16px); box-sizing: border-box;
  margin: 4px 8px 4px calc(var(--jp-cell-prompt-width) + 8px); padding-left: 10px;
  border-left: 3px solid var(--jp-brand-color1); color: var(--jp-content-font-color1);
  font: var(--jp-content-font-size1) / 1.5 var(--jp-content-font-family);
}
.posenc-gone + .posenc-still { /* on the row of the empty prompt */
  flex: 1 1 0;
  order: 0;
  min-width: 0; /* a wide picture becomes smaller */
  margin-left: 8px;
}
.posenc-still img { display: block; margin-top: 4px; max-width: 100%; height: auto; }
.posenc-still figcaption:not(:empty) { display: inline; margin-right: 8px; }
.posenc-still button { border-color: var(--jp-brand-color1); }
.posenc-still button:disabled { cursor: progress; opacity: 0.6; }
.jp-TableOfContents jp-tree-item { font-family: var(--jp-ui-font-family); } /* its own font has no Chinese */
.posenc-lesson .jp-MarkdownOutput :is(p, ul, ol, blockquote, summary) { max-width: 42em; } /* about 80 letters a line */
.posenc-lesson .jp-MarkdownOutput table { margin-left: 0; } /* at the edge of the text */
/* Folded code is a quiet line, not a box. */
.posenc-lesson .jp-InputPlaceholder > .jp-Placeholder-content { border-color: transparent; background: none; }
.posenc-lesson .jp-InputPlaceholder .jp-PlaceholderText { color: var(--jp-ui-font-color2); font-size: var(--jp-ui-font-size0); }
/* The folders with questions and solutions stand below the lessons. JupyterLab has no setting for this. */
.jp-DirListing-content:has(> [title*="00_start_here.ipynb"]) {
  display: flex; flex-direction: column;
  > [data-isdir="true"] { order: 1; }
}
`,""]),o.d(t,{},{A:s})},314(e){e.exports=function(e){var t=[];return t.toString=function(){return this.map(function(t){var o="",n=void 0!==t[5];return t[4]&&(o+="@supports (".concat(t[4],") {")),t[2]&&(o+="@media ".concat(t[2]," {")),n&&(o+="@layer".concat(t[5].length>0?" ".concat(t[5]):""," {")),o+=e(t),n&&(o+="}"),t[2]&&(o+="}"),t[4]&&(o+="}"),o}).join("")},t.i=function(e,o,n,r,a){"string"==typeof e&&(e=[[null,e,void 0]]);var s={};if(n)for(var i=0;i<this.length;i++){var l=this[i][0];null!=l&&(s[l]=!0)}for(var p=0;p<e.length;p++){var c=[].concat(e[p]);n&&s[c[0]]||(void 0!==a&&(void 0===c[5]||(c[1]="@layer".concat(c[5].length>0?" ".concat(c[5]):""," {").concat(c[1],"}")),c[5]=a),o&&(c[2]&&(c[1]="@media ".concat(c[2]," {").concat(c[1],"}")),c[2]=o),r&&(c[4]?(c[1]="@supports (".concat(c[4],") {").concat(c[1],"}"),c[4]=r):c[4]="".concat(r)),t.push(c))}},t}},601(e){e.exports=function(e){return e[1]}},72(e){var t=[];function o(e){for(var o=-1,n=0;n<t.length;n++)if(t[n].identifier===e){o=n;break}return o}function n(e,n){for(var r={},a=[],s=0;s<e.length;s++){var i=e[s],l=n.base?i[0]+n.base:i[0],p=r[l]||0,c="".concat(l," ").concat(p);r[l]=p+1;var u=o(c),d={css:i[1],media:i[2],sourceMap:i[3],supports:i[4],layer:i[5]};if(-1!==u)t[u].references++,t[u].updater(d);else{var f=function(e,t){var o=t.domAPI(t);return o.update(e),function(t){t?(t.css!==e.css||t.media!==e.media||t.sourceMap!==e.sourceMap||t.supports!==e.supports||t.layer!==e.layer)&&o.update(e=t):o.remove()}}(d,n);n.byIndex=s,t.splice(s,0,{identifier:c,updater:f,references:1})}a.push(c)}return a}e.exports=function(e,r){var a=n(e=e||[],r=r||{});return function(e){e=e||[];for(var s=0;s<a.length;s++){var i=o(a[s]);t[i].references--}for(var l=n(e,r),p=0;p<a.length;p++){var c=o(a[p]);0===t[c].references&&(t[c].updater(),t.splice(c,1))}a=l}}},659(e){var t={};e.exports=function(e,o){var n=function(e){if(void 0===t[e]){var o=document.querySelector(e);if(window.HTMLIFrameElement&&o instanceof window.HTMLIFrameElement)try{o=o.contentDocument.head}catch(e){o=null}t[e]=o}return t[e]}(e);if(!n)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");n.appendChild(o)}},540(e){e.exports=function(e){var t=document.createElement("style");return e.setAttributes(t,e.attributes),e.insert(t,e.options),t}},56(e,t,o){e.exports=function(e){var t=o.nc;t&&e.setAttribute("nonce",t)}},825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var t=e.insertStyleElement(e);return{update:function(o){var n,r,a;n="",o.supports&&(n+="@supports (".concat(o.supports,") {")),o.media&&(n+="@media ".concat(o.media," {")),(r=void 0!==o.layer)&&(n+="@layer".concat(o.layer.length>0?" ".concat(o.layer):""," {")),n+=o.css,r&&(n+="}"),o.media&&(n+="}"),o.supports&&(n+="}"),(a=o.sourceMap)&&"u">typeof btoa&&(n+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(n,t,e.options)},remove:function(){var e;null===(e=t).parentNode||e.parentNode.removeChild(e)}}}},113(e){e.exports=function(e,t){if(t.styleSheet)t.styleSheet.cssText=e;else{for(;t.firstChild;)t.removeChild(t.firstChild);t.appendChild(document.createTextNode(e))}}},579(e,t,o){var n=o(72),r=o.n(n),a=o(825),s=o.n(a),i=o(659),l=o.n(i),p=o(56),c=o.n(p),u=o(540),d=o.n(u),f=o(113),h=o.n(f),m=o(475),g={};g.styleTagTransform=h(),g.setAttributes=c(),g.insert=l().bind(null,"head"),g.domAPI=s(),g.insertStyleElement=d(),r()(m.A,g),m.A&&m.A.locals&&m.A.locals}}]);