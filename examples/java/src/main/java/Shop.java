import com.payfurl.payfurlsdk.PayFurlClient;
import com.payfurl.payfurlsdk.api.ChargeApi;
import com.payfurl.payfurlsdk.api.support.ApiException;
import com.payfurl.payfurlsdk.http.client.config.Environment;
import com.payfurl.payfurlsdk.models.ChargeData;
import com.payfurl.payfurlsdk.models.ChargeSearch;
import com.payfurl.payfurlsdk.models.NewChargeToken;
import com.payfurl.payfurlsdk.models.NewRefund;
import com.payfurl.payfurlsdk.models.TransactionStatus;
import com.payfurl.payfurlsdk.models.WebhookConfig;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;

/** A shop whose orders are paid with the service's Java library. */
public class Shop {
  private static final Set<TransactionStatus> PAID =
      Set.of(TransactionStatus.SUCCESS, TransactionStatus.PARTIAL_REFUND);
  private static final Set<TransactionStatus> NOT_CHARGED =
      Set.of(TransactionStatus.FAILED, TransactionStatus.AUTHORISE_CANCELLED);

  public enum Result { PAID, DECLINED, UNKNOWN }

  private final ChargeApi charges;

  public Shop(Environment environment, String key, long timeoutMs) {
    charges = new PayFurlClient.Builder()
        .withEnvironment(environment)
        .withSecretKey(key)
        .withHttpClientConfiguration(configuration -> configuration.timeout(timeoutMs))
        .build()
        .getChargeApi();
  }

  /** Can be called again for the same order. UNKNOWN: call it again later, before anything else. */
  public Result pay(String reference, BigDecimal amount, String token, String webhookUrl) {
    try {
      // The answer to an earlier attempt may have been lost, so look for its charge first.
      List<ChargeData> earlier = find(reference);
      if (!earlier.stream().allMatch(Shop::isNotCharged)) {
        return resultOf(earlier);
      }
      try {
        return resultOf(List.of(charges.createWithToken(newCharge(reference, amount, token, webhookUrl))));
      } catch (ApiException declinedOrLost) {
        // The exception does not say which. A declined charge is in the service's records, as FAILED.
        List<ChargeData> now = find(reference);
        return now.size() > earlier.size() ? resultOf(now) : Result.UNKNOWN;
      }
    } catch (ApiException searchFailed) {
      return Result.UNKNOWN;
    }
  }

  public BigDecimal refund(String reference, BigDecimal amount) {
    ChargeData charge = find(reference).stream().filter(one -> PAID.contains(one.getStatus())).findFirst().orElseThrow();
    NewRefund refund = new NewRefund.Builder().withChargeId(charge.getChargeId()).withRefundAmount(amount).build();
    return charges.refund(refund).getRefundedAmount();
  }

  public List<ChargeData> find(String reference) {
    return charges.search(new ChargeSearch.Builder().withReference(reference).build()).getCharges();
  }

  private static NewChargeToken newCharge(String reference, BigDecimal amount, String token, String webhookUrl) {
    return new NewChargeToken.Builder()
        .withReference(reference)
        .withAmount(amount)
        .withCurrency("AUD")
        .withToken(token)
        .withWebhook(webhookUrl == null ? null : new WebhookConfig.Builder().withUrl(webhookUrl).build())
        .build();
  }

  private static boolean isNotCharged(ChargeData charge) {
    return NOT_CHARGED.contains(charge.getStatus());
  }

  private static Result resultOf(List<ChargeData> found) {
    if (found.stream().anyMatch(charge -> PAID.contains(charge.getStatus()))) {
      return Result.PAID;
    }
    return found.stream().allMatch(Shop::isNotCharged) ? Result.DECLINED : Result.UNKNOWN;
  }
}
