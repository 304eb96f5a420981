"use strict";(self.rspackChunkposenc_lessons=self.rspackChunkposenc_lessons||[]).push([[232],{475(e,t,n){var o=n(601),r=n.n(o),a=n(314),s=(n.n(a))()(r());s.push([e.id,`/* The lessons in JupyterLab: body[data-posenc-language] is the reader's choice. */
body[data-posenc-language="en"] .posenc-lesson [lang="zh"],
body[data-posenc-language="zh"] .posenc-lesson [lang="en"],
body:not([data-posenc-language="both"]) .posenc-lesson .posenc-dot,
.posenc-lesson .posenc-gone {
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
.posenc-still figcaption { display: inline; margin-right: 8px; }
.posenc-still button { border-color: var(--jp-brand-color1); }
.posenc-still button:disabled { cursor: progress; opacity: 0.6; }
.jp-TableOfContents jp-tree-item { font-family: var(--jp-ui-font-family); } /* its own font has no Chinese */
`,""]),n.d(t,{},{A:s})},314(e){e.exports=function(e){var t=[];return t.toString=function(){return this.map(function(t){var n="",o=void 0!==t[5];return t[4]&&(n+="@supports (".concat(t[4],") {")),t[2]&&(n+="@media ".concat(t[2]," {")),o&&(n+="@layer".concat(t[5].length>0?" ".concat(t[5]):""," {")),n+=e(t),o&&(n+="}"),t[2]&&(n+="}"),t[4]&&(n+="}"),n}).join("")},t.i=function(e,n,o,r,a){"string"==typeof e&&(e=[[null,e,void 0]]);var s={};if(o)for(var i=0;i<this.length;i++){var c=this[i][0];null!=c&&(s[c]=!0)}for(var p=0;p<e.length;p++){var l=[].concat(e[p]);o&&s[l[0]]||(void 0!==a&&(void 0===l[5]||(l[1]="@layer".concat(l[5].length>0?" ".concat(l[5]):""," {").concat(l[1],"}")),l[5]=a),n&&(l[2]&&(l[1]="@media ".concat(l[2]," {").concat(l[1],"}")),l[2]=n),r&&(l[4]?(l[1]="@supports (".concat(l[4],") {").concat(l[1],"}"),l[4]=r):l[4]="".concat(r)),t.push(l))}},t}},601(e){e.exports=function(e){return e[1]}},72(e){var t=[];function n(e){for(var n=-1,o=0;o<t.length;o++)if(t[o].identifier===e){n=o;break}return n}function o(e,o){for(var r={},a=[],s=0;s<e.length;s++){var i=e[s],c=o.base?i[0]+o.base:i[0],p=r[c]||0,l="".concat(c," ").concat(p);r[c]=p+1;var u=n(l),d={css:i[1],media:i[2],sourceMap:i[3],supports:i[4],layer:i[5]};if(-1!==u)t[u].references++,t[u].updater(d);else{var f=function(e,t){var n=t.domAPI(t);return n.update(e),function(t){t?(t.css!==e.css||t.media!==e.media||t.sourceMap!==e.sourceMap||t.supports!==e.supports||t.layer!==e.layer)&&n.update(e=t):n.remove()}}(d,o);o.byIndex=s,t.splice(s,0,{identifier:l,updater:f,references:1})}a.push(l)}return a}e.exports=function(e,r){var a=o(e=e||[],r=r||{});return function(e){e=e||[];for(var s=0;s<a.length;s++){var i=n(a[s]);t[i].references--}for(var c=o(e,r),p=0;p<a.length;p++){var l=n(a[p]);0===t[l].references&&(t[l].updater(),t.splice(l,1))}a=c}}},659(e){var t={};e.exports=function(e,n){var o=function(e){if(void 0===t[e]){var n=document.querySelector(e);if(window.HTMLIFrameElement&&n instanceof window.HTMLIFrameElement)try{n=n.contentDocument.head}catch(e){n=null}t[e]=n}return t[e]}(e);if(!o)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");o.appendChild(n)}},540(e){e.exports=function(e){var t=document.createElement("style");return e.setAttributes(t,e.attributes),e.insert(t,e.options),t}},56(e,t,n){e.exports=function(e){var t=n.nc;t&&e.setAttribute("nonce",t)}},825(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var t=e.insertStyleElement(e);return{update:function(n){var o,r,a;o="",n.supports&&(o+="@supports (".concat(n.supports,") {")),n.media&&(o+="@media ".concat(n.media," {")),(r=void 0!==n.layer)&&(o+="@layer".concat(n.layer.length>0?" ".concat(n.layer):""," {")),o+=n.css,r&&(o+="}"),n.media&&(o+="}"),n.supports&&(o+="}"),(a=n.sourceMap)&&"u">typeof btoa&&(o+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(a))))," */")),e.styleTagTransform(o,t,e.options)},remove:function(){var e;null===(e=t).parentNode||e.parentNode.removeChild(e)}}}},113(e){e.exports=function(e,t){if(t.styleSheet)t.styleSheet.cssText=e;else{for(;t.firstChild;)t.removeChild(t.firstChild);t.appendChild(document.createTextNode(e))}}},579(e,t,n){var o=n(72),r=n.n(o),a=n(825),s=n.n(a),i=n(659),c=n.n(i),p=n(56),l=n.n(p),u=n(540),d=n.n(u),f=n(113),h=n.n(f),v=n(475),g={};g.styleTagTransform=h(),g.setAttributes=l(),g.insert=c().bind(null,"head"),g.domAPI=s(),g.insertStyleElement=d(),r()(v.A,g),v.A&&v.A.locals&&v.A.locals}}]);